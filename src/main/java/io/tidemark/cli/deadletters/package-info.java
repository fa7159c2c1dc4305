/**
 * The commands about dead letters, and their replay. Imports {@code cli.command}, {@code cli.print}, {@code app}
 * and the packages below {@code cli}.
 */
@NullMarked
package io.tidemark.cli.deadletters;

import org.jspecify.annotations.NullMarked;
