/**
 * The commands {@code plan} and {@code init}: what a configuration does with its budget, computed by the schedule in
 * virtual time, and a first configuration that fits one. Imports {@code cli.command}, {@code cli.print}, {@code
 * cli.watch}, {@code cli.wiring}, {@code config}, {@code poll}, {@code source}, {@code market}, {@code event} and
 * {@code yaml}.
 */
@NullMarked
package io.tidemark.cli.plan;

import org.jspecify.annotations.NullMarked;
