package io.tidemark.market;

import org.jspecify.annotations.Nullable;

/** The envelope of on-chain answers; included is null where nothing was included. */
public record OnChainAnswer<A>(A data, @Nullable Included included) {}
