package io.tidemark.market;

import org.jspecify.annotations.Nullable;

/** A decentralised exchange, as pools name it; its id has no network in front. */
public record Dex(String id, @Nullable String name) {}
