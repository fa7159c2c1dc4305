/**
 * The commands that run the program, read its topics, and check it, and the base class and options that commands
 * share. Imports {@code app}, {@code cli.print} and the packages below {@code cli}.
 */
@NullMarked
package io.tidemark.cli.command;

import org.jspecify.annotations.NullMarked;
