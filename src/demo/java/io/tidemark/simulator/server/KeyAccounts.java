package io.tidemark.simulator.server;

import io.tidemark.event.KeyReport;
import io.tidemark.http.server.FailureReplies;
import io.tidemark.http.server.HttpReply;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.server.QueryResponder;
import io.tidemark.http.wire.KeyReportCodec;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.simulator.server.SimulatedRoutes.CallCounter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API keys of a simulated service. Counts the calls with each key, refuses calls beyond the plan, and reports on
 * a key like the real service's operation {@code GET /key}. Refused calls with a known key are counted too.
 * Thread-safe.
 */
public final class KeyAccounts implements CallCounter {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Map<String, Account> accounts = new HashMap<>();
  private final @Nullable Integer perMinute;
  private final @Nullable Long perMonth;
  private final InstantSource clock;

  private static final class Account {
    final Deque<Instant> lastMinute = new ArrayDeque<>();
    YearMonth month;
    long used;

    Account(YearMonth month) {
      this.month = month;
    }
  }

  /**
   * Creates an account for each key.
   *
   * @param perMinute maximum calls with each key in any 60 seconds; null if unlimited
   * @param perMonth maximum calls with each key in a calendar month, UTC; null if unlimited
   */
  public KeyAccounts(
      Collection<String> keys, @Nullable Integer perMinute, @Nullable Long perMonth, InstantSource clock) {
    keys.forEach(key -> accounts.put(key, new Account(month(clock.instant()))));
    this.perMinute = perMinute;
    this.perMonth = perMonth;
    this.clock = clock;
  }

  /** Removes a key, so that the service no longer accepts it. */
  public synchronized void revoke(String key) {
    accounts.remove(key);
  }

  /** Returns the routes of a simulated service that counts the calls with each key. */
  public SimulatedRoutes routes(QueryResponder responder, ResponseJournal journal) {
    return new SimulatedRoutes(this::accepts, this, responder, journal, clock);
  }

  @Override
  public @Nullable HttpReply count(String key, String uri) {
    var refused = count(key);
    if (refused != null) {
      return FailureReplies.of(new Query.GlobalMarket(), refused, clock.instant()); // the same for every query
    }
    return uri.equals(MarketRoutes.PREFIX + KeyReportCodec.PATH)
        ? HttpReply.of(200, HttpReply.JSON, KeyReportCodec.encode(report(key)), clock.instant())
        : null;
  }

  /** Returns whether requests with the given key are answered. The key is empty if the request has no key. */
  private synchronized boolean accepts(String key) {
    return accounts.containsKey(key);
  }

  /** Counts a call with a key. Returns the failure with which the call is refused, or null if the call is allowed. */
  public synchronized @Nullable Failure count(String key) {
    var account = accounts.get(key);
    if (account == null) {
      return new Failure.BadKey("Invalid API Key.");
    }
    var now = clock.instant();
    if (!account.month.equals(month(now))) {
      account.month = month(now);
      account.used = 0;
    }
    while (!account.lastMinute.isEmpty() && !account.lastMinute.getFirst().isAfter(now.minus(MINUTE))) {
      account.lastMinute.remove();
    }
    account.lastMinute.add(now);
    account.used++;
    if (perMonth != null && account.used > perMonth) {
      return new Failure.CreditsExhausted("the calls of the month are used up");
    }
    return perMinute == null || account.lastMinute.size() <= perMinute ? null
        : new Failure.RateLimited("too many calls",
            Duration.between(now, account.lastMinute.getFirst().plus(MINUTE)).plusSeconds(1));
  }

  /** Returns the simulated service's report on a key. */
  private synchronized KeyReport report(String key) {
    var account = accounts.get(key);
    var used = account == null ? 0 : account.used;
    return new KeyReport(clock.instant(), perMonth == null ? "Unlimited" : "Simulated",
        perMinute == null ? null : perMinute.longValue(), perMonth, used,
        perMonth == null ? null : Math.max(0, perMonth - used));
  }

  private static YearMonth month(Instant now) {
    return YearMonth.from(now.atZone(ZoneOffset.UTC));
  }
}
