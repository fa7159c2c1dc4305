/** Commands over rules. */
@NullMarked
package io.tidemark.cli.rules;

import org.jspecify.annotations.NullMarked;
