package io.tidemark.market;

import io.tidemark.event.Holding;
import io.tidemark.event.Treasury;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entity and its holdings; null where the answer has no list of them. */
public record TreasuryAnswer(Observation<Treasury> treasury, @Nullable List<Observation<Holding>> holdings) {}
