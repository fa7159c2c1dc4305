/**
 * The command {@code demo}: all roles, an embedded Kafka and a simulated market in one process, and the configuration with
 * which other commands reach it. Imports {@code cli.command}, {@code cli.log}, {@code cli.plan}, {@code cli.print}, {@code
 * cli.wiring} and the packages below {@code cli}.
 */
@NullMarked
package io.tidemark.cli.demo;

import org.jspecify.annotations.NullMarked;
