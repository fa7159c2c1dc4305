package io.tidemark.eventlog;

import io.tidemark.eventlog.ObservedResource.Ref;
import io.tidemark.eventlog.RecordedChange.FacetChange;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rule that a token's price in its deepest pool, if known, is the price and reserve of an observed pool that trades
 * it.
 */
final class PoolPriceRule {
  private static final String LAW = "a token's pool_price is that of a pool";

  private final ExpectedStates expected;
  private final Consumer<Violation> violations;

  PoolPriceRule(ExpectedStates expected, Consumer<Violation> violations) {
    this.expected = expected;
    this.violations = violations;
  }

  void check(RecordedChange change) {
    FacetChange facet = change.resource().equals("token") ? change.facets().get("pool_price") : null;
    if (facet != null && !facet.after().isEmpty() && !facet.after().equals(facet.before())) {
      check(change, facet.after());
    }
  }

  private void check(RecordedChange change, Map<String, Object> after) {
    ExpectedResource pool = expected.find(new Ref("pool", Json.text(after.get("pool"))));
    if (pool == null) {
      violations.accept(change.violation(LAW, "pool_price.pool", "a pool that was observed", after.get("pool")));
      return;
    }
    String side = change.key().equals(pool.value("description").get("base_token")) ? "base" : "quote";
    same(change, "pool", change.key(), pool.value("description").get(side + "_token"));
    same(change, "price_usd",
        AttributeFigures.number(pool.value("price").get(side + "_token_price_usd")), after.get("price_usd"));
    same(change, "reserve_usd",
        AttributeFigures.number(pool.value("liquidity").get("reserve_in_usd")), after.get("reserve_usd"));
  }

  private void same(RecordedChange change, String attribute, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      violations.accept(change.violation(LAW, "pool_price." + attribute, expected, found));
    }
  }
}
