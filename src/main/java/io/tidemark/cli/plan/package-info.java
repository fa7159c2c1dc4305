/**
 * The commands {@code plan} and {@code init}. The first shows what a configuration does with its budget, computed by
 * the schedule in virtual time. The second writes a first configuration that fits a budget. Imports {@code
 * cli.command}, {@code cli.print}, {@code app}, {@code app.config}, {@code capture.poll}, {@code
 * capture.source}, {@code http.server}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.cli.plan;

import org.jspecify.annotations.NullMarked;
