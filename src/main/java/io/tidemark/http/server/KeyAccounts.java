package io.tidemark.http.server;

import io.tidemark.event.KeyReport;
import io.tidemark.market.Failure;
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
 * The keys of a simulated service: counts the calls of each, refuses those beyond its plan, and reports them as the
 * service's own operation about a key does. Each request counts, refused ones too. Safe for several threads.
 */
public final class KeyAccounts {

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
   * Accounts of these keys, each with its own calls.
   *
   * @param perMinute calls of each in any 60 seconds; null where they are not limited
   * @param perMonth calls of each in a calendar month, UTC; null where they are not limited
   */
  public KeyAccounts(
      Collection<String> keys, @Nullable Integer perMinute, @Nullable Long perMonth, InstantSource clock) {
    keys.forEach(key -> accounts.put(key, new Account(month(clock.instant()))));
    this.perMinute = perMinute;
    this.perMonth = perMonth;
    this.clock = clock;
  }

  /** Counts calls that another program makes with a key. */
  public synchronized void spend(String key, long calls) {
    var account = accounts.get(key);
    if (account != null) {
      account.used += calls;
    }
  }

  /** The service does not accept the key any more. */
  public synchronized void revoke(String key) {
    accounts.remove(key);
  }

  /** Whether requests with a key are answered; it is empty where none was sent. */
  synchronized boolean accepts(String key) {
    return accounts.containsKey(key);
  }

  /** Counts a call. Returns why it is not answered; null where it is. */
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

  /** What the service says of a key. */
  synchronized KeyReport report(String key) {
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
