package io.tidemark.simulator;

import io.tidemark.market.Answer;
import io.tidemark.market.Body;
import io.tidemark.market.Query;
import java.time.Instant;

/** Makes a value the answer to a query: everything about it happened at one instant. */
record Answers(Instant now) {
  <A> Answer<A> answer(Query<A> query, A value) {
    return new Answer<>(query, Body.of(value), ValueDigest.of(value), now, now, now, null, null);
  }
}
