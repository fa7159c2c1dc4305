/**
 * The commands {@code demo} and {@code simulate}. {@code demo} runs all roles, an embedded Kafka and a simulated market
 * in one process, and writes the configuration by which other commands reach it. {@code simulate} runs the market
 * alone. Imports {@code cli.command}, {@code app.log}, {@code cli.plan}, {@code cli.print}, {@code app} and the
 * packages below {@code cli}.
 */
@NullMarked
package io.tidemark.cli.demo;

import org.jspecify.annotations.NullMarked;
