/**
 * The pages of documentation that are generated from schemas and shipped rules. Imports {@code event}, {@code topic},
 * {@code rule} and {@code http.wire}.
 */
@NullMarked
package io.tidemark.cli.reference;

import org.jspecify.annotations.NullMarked;
