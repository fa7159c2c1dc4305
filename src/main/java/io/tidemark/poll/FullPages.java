package io.tidemark.poll;

import io.tidemark.market.Answer;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.TickersAnswer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tells which pages of a list are full, so that another may follow. A body equal to the last one is not parsed again. */
final class FullPages {

  private static final int POOLS = 20;
  private static final int TICKERS = 100;

  private record TargetPage(String target, int page) {}

  private record LastBody(String digest, boolean full) {}

  private final Map<TargetPage, LastBody> newest = new ConcurrentHashMap<>();

  /** Whether the page is full; fails with {@code Failure.Unreadable} where it is not what the document says. */
  boolean full(String target, int page, Answer<?> answer) {
    var place = new TargetPage(target, page);
    var known = newest.get(place);
    if (known != null && known.digest().equals(answer.digest())) {
      return known.full();
    }
    var full = full(answer.body().read());
    newest.put(place, new LastBody(answer.digest(), full));
    return full;
  }

  private static boolean full(Object body) {
    return switch (body) {
      case OnChainAnswer<?>(List<?> pools, var included) -> pools.size() >= POOLS;
      case TickersAnswer answer -> answer.tickers().size() >= TICKERS;
      default -> throw new IllegalArgumentException("not a page: " + body.getClass());
    };
  }
}
