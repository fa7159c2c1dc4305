/**
 * Companies and governments, and the coins they hold. Imports {@code market}, {@code event} and of the simulator {@code
 * coin} and {@code generator}.
 */
@NullMarked
package io.tidemark.simulator.treasury;

import org.jspecify.annotations.NullMarked;
