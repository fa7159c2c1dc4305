/**
 * Networks, tokens, pools and their trades, and operations 1 to 7 over them. {@link
 * io.tidemark.simulator.pool.PoolDirectory} holds all pools, {@link io.tidemark.simulator.pool.PoolOperations} answers
 * queries. Imports {@code market}, {@code event} and of the simulator {@code coin} and {@code generator}.
 */
@NullMarked
package io.tidemark.simulator.pool;

import org.jspecify.annotations.NullMarked;
