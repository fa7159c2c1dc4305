/**
 * The commands about rules, alerts and silences. Imports {@code cli.command}, {@code cli.print}, {@code app} and
 * the packages below {@code cli}.
 */
@NullMarked
package io.tidemark.cli.rules;

import org.jspecify.annotations.NullMarked;
