/**
 * The command {@code bench}: measures what the program does and takes, each beside its aim, and the program beside what
 * a user would otherwise run. It is in no production image: its jar lies beside the embedded broker. Imports {@code
 * cli.command}, {@code cli.demo}, {@code cli.print}, {@code cli.wiring}, {@code config}, {@code simulator}, {@code
 * http.simulated}, {@code http.wire}, {@code http.client}, {@code http.server}, {@code source}, {@code poll}, {@code
 * change}, {@code ledger}, {@code stream}, {@code rule}, {@code mirror}, {@code feed}, {@code web}, {@code embedded},
 * {@code topic}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;
