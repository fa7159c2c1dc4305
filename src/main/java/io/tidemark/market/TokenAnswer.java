package io.tidemark.market;

import io.tidemark.event.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A token and the ids of its top pools in order; null where the answer has no list of them. */
public record TokenAnswer(Observation<Token> token, @Nullable List<String> topPools) {}
