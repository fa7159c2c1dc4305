package io.tidemark.market;

import io.tidemark.event.Ticker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A coin's name and one page of its tickers. Each ticker's description has the name too. */
public record TickersAnswer(@Nullable String name, List<Observation<Ticker>> tickers) {}
