/** Commands over dead letters. */
@NullMarked
package io.tidemark.cli.deadletters;

import org.jspecify.annotations.NullMarked;
