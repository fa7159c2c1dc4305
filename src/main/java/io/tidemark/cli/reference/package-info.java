/** Reference documents generated from schemas. */
@NullMarked
package io.tidemark.cli.reference;

import org.jspecify.annotations.NullMarked;
