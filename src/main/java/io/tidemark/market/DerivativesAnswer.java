package io.tidemark.market;

import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A derivatives exchange and its contracts; null where the answer has no list of them. */
public record DerivativesAnswer(Observation<DerivativesExchange> exchange,
    @Nullable List<Observation<Contract>> tickers) {}
