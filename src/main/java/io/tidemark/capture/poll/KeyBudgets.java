package io.tidemark.capture.poll;

import io.tidemark.capture.poll.MonthlyBudget.CommittedKey;
import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.event.Budget;
import io.tidemark.event.KeyUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The budgets of all keys of a source, with the choice of the key for each call. Each key has separate limits per
 * minute and per month. One credit spreads the calls of all keys evenly over the month. The credit grows at the rate
 * that the keys in use can sustain together, and each key makes a share of the calls in proportion to its part of
 * that rate. Keys are numbered from 0. Callers pass the time. Only one thread may use an instance at a time.
 *
 * <p>No calls are saved up over the month for important moments. In a simulation, saving calls was worse than an even
 * pace.
 */
final class KeyBudgets {

  private static final double SECOND = 1e9;
  /**
   * Part of the calls allowed in a minute up to which the credit grows. It grows no further than what a minute adds,
   * but at least to 1.
   */
  private static final double BURST = 0.01;

  private final List<KeyBudget> keys;
  /** Usage committed for keys that are no longer in the configuration. These keys may come back within the month. */
  private final List<KeyUsage> absent;
  private final Instant absentMonth;
  /** Time of the last reservation; null if no call was ever reserved. */
  private @Nullable Instant reservedAt;
  /** Number of calls by which each key is behind its share. */
  private final double[] behind;
  /**
   * Credit, in calls. If it is at least 1, a block of any size may be permitted, so it is negative after a block
   * overdrew it. It is committed with each reservation, so that sessions that keep failing do not exceed the pace.
   */
  private double credit;
  private long advancedAt;
  /** Calls by which the credit grows per second. */
  private double rate = 1;

  /**
   * @param before the budget committed last; null at the very first start
   * @param firstCalls calls that may be made as fast as the limit per minute allows, see {@link WatchList#firstCalls}:
   *     at most a hundredth of the month's calls and, after the very first start, only until the month is that far
   *     ahead of an even pace, since a session may end before it commits its first polls
   */
  KeyBudgets(PlanLimits limits, @Nullable Budget before, int firstCalls, Instant now, long nanos) {
    absent = before == null ? List.of() : before.getKeys().stream()
        .filter(usage -> limits.keys().stream().noneMatch(key -> key.name().equals(usage.getKey()))).toList();
    keys = limits.own().stream().map(key -> new KeyBudget(key, limits.part(key, limits.spent()), limits.billingDay(),
        before == null ? null : committed(before, absent, key, limits), now, nanos)).toList();
    absentMonth = before == null ? now : before.getMonth();
    reservedAt = before == null ? null : before.getReservedAt();
    behind = new double[keys.size()];
    var perMonth = limits.own().stream().mapToLong(KeyLimits::perMonth).sum();
    var ahead = before == null ? 0 : Math.max(0, keys.stream().mapToDouble(key -> key.month().aheadOfPace()).sum());
    var continued = before == null ? 1 : Math.min(1, before.getCredit());
    var first = Math.min(firstCalls, perMonth / 100.0 - ahead);
    credit = first > 0 ? Math.max(continued, first) : continued;
    var countedAt = before == null ? null : before.getCountedAt();
    advancedAt = countedAt == null ? nanos : nanos - Math.max(0, Duration.between(countedAt, now).toNanos());
  }

  /**
   * Returns the usage committed for a key. If the committed budget has no usage per key, its reserved and spent calls
   * are split among the keys in proportion to their limits per month, and its calls of the last minute, and those
   * that may count in two months, count in full for each key. A new key may be an old key under another name. So it
   * gets the usage of the key that reserved the most calls among the keys that are no longer in the configuration.
   */
  private static CommittedKey committed(Budget before, List<KeyUsage> absent, KeyLimits key, PlanLimits limits) {
    var usage = before.getKeys().stream().filter(each -> each.getKey().equals(key.name())).findFirst()
        .or(() -> absent.stream().max(Comparator.comparingLong(KeyUsage::getReserved)))
        .orElseGet(() -> {
          var all = before.getKeys().isEmpty();
          return KeyUsage.newBuilder()
              .setReserved(all ? limits.part(key, before.getReserved()) : 0)
              .setSpent(all ? Math.min(before.getSpent(), limits.part(key, before.getSpent())) : 0)
              .setBoth(all ? before.getBoth() : 0)
              .setMinute(all ? before.getMinute() : List.of())
              .build();
        });
    return new CommittedKey(before.getMonth(), before.getCountedAt(), usage);
  }

  /**
   * Brings the months of the keys and the credit up to the present.
   *
   * @param now earliest time that the service's clock can show now
   * @param certain whether this time comes from the service
   */
  void advance(Instant now, boolean certain, long nanos) {
    keys.forEach(key -> key.advance(now, certain));
    var minute = minuteLimit(nanos);
    var perSecond = keys.stream().mapToDouble(key -> key.perSecond(nanos)).sum();
    var most = Math.max(1, Math.min(perSecond * 60, BURST * minute));
    if (credit < most) {
      credit = Math.min(most, credit + perSecond * (nanos - advancedAt) / SECOND);
    }
    rate = perSecond;
    advancedAt = nanos;
  }

  int size() {
    return keys.size();
  }

  KeyBudget get(int key) {
    return keys.get(key);
  }

  /** Returns the calls that the keys may make together in any minute, reduced after "too many calls"; at least 1. */
  int minuteLimit(long nanos) {
    return Math.max(1, keys.stream().mapToInt(key -> key.minuteLimit(nanos)).sum());
  }

  /**
   * Returns how many of the given calls can be permitted together: no more than the keys in use may make in a minute,
   * and no more than they have left in the month. If no key is in use now, the limit per minute of all keys that are
   * not out counts. Returns 1 if a key that is out has to be tried.
   */
  int largestBlock(int calls, long nanos) {
    var awake = keys.stream().filter(key -> key.status(nanos) == KeyStatus.USED)
        .mapToLong(key -> Math.min(key.minuteLimit(nanos), key.month().remaining())).sum();
    if (trialRoom(nanos) > 0 && (awake == 0 || monthRemaining() < calls)) {
      return 1;
    }
    return (int) Math.min(calls, awake > 0 ? awake : minuteLimit(nanos));
  }

  /**
   * Returns the nanoseconds until a block may be permitted or until it is worth asking again; 0 means now. A block with
   * a trial of a key that is out does not wait for credit, because no credit accrues before the month ends if all other
   * keys are used up.
   *
   * @param calls number of calls of the block
   * @param ready number of these calls to permit at once, from {@link #largestBlock}
   * @param urgent whether the block needs no credit. Even an urgent block must not exceed the calls of the month
   */
  long waitNanos(int calls, int ready, boolean urgent, long nanos) {
    var trials = trialRoom(nanos);
    if (monthRemaining() < calls && trials < ready) {
      var untilTrial = keys.stream().filter(KeyBudget::isOut).mapToLong(key -> key.waitNanos(nanos)).min();
      return Math.min(keys.getFirst().month().untilEnd(), untilTrial.orElse(Long.MAX_VALUE));
    }
    var minute = keys.stream().mapToLong(key -> key.room(nanos)).sum() >= ready
        ? 0
        : keys.stream().mapToLong(key -> key.waitNanos(nanos)).min().orElseThrow();
    var pace = urgent || trials > 0 || credit >= 1 ? 0 : (long) Math.ceil((1 - credit) / rate * SECOND);
    return Math.max(minute, pace);
  }

  private long trialRoom(long nanos) {
    return keys.stream().filter(KeyBudget::isOut).mapToLong(key -> key.room(nanos)).sum();
  }

  /** Returns the remaining calls of the month, summed over the keys that are not out. */
  private long monthRemaining() {
    return sum(key -> key.isOut() ? 0 : key.month().remaining());
  }

  /**
   * Permits a call that asks the service for its count of this key's calls, if the key may make such a call, the pace
   * of the month allows it and the call is reserved. The call is permitted without these two if no calls of the key's
   * month remain, since other programs may have made them. Returns whether the call is permitted.
   */
  boolean permitOf(int key, long nanos) {
    if (!mayAsk(key, nanos) || lacksReservation(key, nanos)) {
      return false;
    }
    keys.get(key).permitQuestion();
    credit--;
    return true;
  }

  /** Returns whether this key could make a call that asks for its count, if only a further call were reserved. */
  boolean lacksReservation(int key, long nanos) {
    var month = keys.get(key).month();
    return mayAsk(key, nanos) && month.remaining() > 0 && !month.covers(1);
  }

  /** A question goes ahead of the polls, so it may take the credit below 0, but not further below it. */
  private boolean mayAsk(int key, long nanos) {
    return keys.get(key).isAskable(nanos) && (credit >= 0 || keys.get(key).month().remaining() == 0);
  }

  /** Returns the keys that make the next calls, in order, or null if the keys do not have enough room. */
  @Nullable
  List<Integer> choose(int calls, long nanos) {
    return choose(calls, behind.clone(), nanos);
  }

  private @Nullable List<Integer> choose(int calls, double[] parts, long nanos) {
    var room = keys.stream().mapToLong(key -> key.room(nanos)).toArray();
    var chosen = new ArrayList<Integer>(calls);
    for (int call = 0; call < calls; call++) {
      var key = next(room, parts, nanos);
      if (key < 0) {
        return null;
      }
      room[key]--;
      chosen.add(key);
    }
    return chosen;
  }

  /**
   * Returns the key of the next call, or -1 if no key has room. A key that is out and tried again goes first, then the
   * key that is most behind its share.
   */
  private int next(long[] room, double[] parts, long nanos) {
    var open = IntStream.range(0, room.length).filter(key -> room[key] > 0).toArray();
    for (var key : open) {
      if (keys.get(key).isOut()) {
        return key;
      }
    }
    var total = IntStream.of(open).mapToDouble(key -> keys.get(key).perSecond(nanos)).sum();
    var chosen = -1;
    for (var key : open) {
      parts[key] += total > 0 ? keys.get(key).perSecond(nanos) / total : 1.0 / open.length;
      if (chosen < 0 || parts[key] > parts[chosen]) {
        chosen = key;
      }
    }
    if (chosen >= 0) {
      parts[chosen]--;
    }
    return chosen;
  }

  boolean covers(List<Integer> calls) {
    return IntStream.range(0, keys.size())
        .allMatch(key -> keys.get(key).month().covers((int) calls.stream().filter(each -> each == key).count()));
  }

  /** Permits the next calls, with the keys that {@link #choose} returns. */
  List<Integer> permit(int calls, long nanos) {
    var chosen = Objects.requireNonNull(choose(calls, behind, nanos));
    credit -= creditFor(chosen);
    chosen.forEach(key -> keys.get(key).permit(nanos));
    return chosen;
  }

  /** Returns the credit that calls take. A trial takes none. */
  private long creditFor(List<Integer> calls) {
    return calls.stream().filter(key -> !keys.get(key).isOut()).count();
  }

  /**
   * Moves calls that are permitted but not made yet away from keys that may not send them now, because the keys are out
   * or pause after "too many calls". The calls go to other keys that have room now, and are taken back if none has.
   * Returns the number of calls that are taken back.
   */
  int replace(Deque<Integer> calls, long nanos) {
    var lost = 0;
    for (var key : List.copyOf(calls)) {
      if (!keys.get(key).maySend(nanos)) {
        var other = choose(1, nanos);
        calls.removeFirstOccurrence(key);
        release(List.of(key), nanos);
        if (other != null && covers(other)) {
          keys.get(other.getFirst()).permit(nanos);
          if (!keys.get(other.getFirst()).isOut()) {
            count(other.getFirst(), 1, nanos);
          }
          calls.addAll(other);
        } else {
          lost++;
        }
      }
    }
    return lost;
  }

  /** Takes back permitted calls that are not made. Their keys are then further behind their shares. */
  void release(List<Integer> calls, long nanos) {
    for (var key : calls) {
      if (!keys.get(key).release()) {
        count(key, -1, nanos);
      }
    }
  }

  /**
   * Counts calls of this key towards the credit and the shares of all keys; negative for calls that are taken back.
   * Trials do not count.
   */
  private void count(int key, int calls, long nanos) {
    credit -= calls;
    var total = keys.stream().mapToDouble(each -> each.perSecond(nanos)).sum();
    behind[key] -= calls;
    for (int each = 0; each < behind.length && total > 0; each++) {
      behind[each] += calls * keys.get(each).perSecond(nanos) / total;
    }
  }

  /**
   * Puts out the keys that were out in the committed budget and have calls of the month left, so that they are used
   * only for trials.
   */
  void refuseAsIn(Budget committed, long nanos) {
    for (var usage : committed.getKeys()) {
      var status = KeyStatus.of(usage.getStatus());
      keys.stream().filter(key -> key.name().equals(usage.getKey()) && key.month().remaining() > 0)
          .filter(key -> status == KeyStatus.REFUSED || status == KeyStatus.USED_UP)
          .forEach(key -> key.refuse(status, "", nanos));
    }
  }

  boolean allOut() {
    return keys.stream().allMatch(KeyBudget::isOut);
  }

  RemainingBudget remaining(Instant now, long nanos) {
    return new RemainingBudget(
        minuteLimit(nanos), (int) sum(key -> Math.max(0, key.minuteLimit(nanos) - key.used(nanos))),
        sum(key -> key.isOut() ? 0 : key.month().limit()),
        monthRemaining(),
        keys.getFirst().month().endsAt(), (int) sum(key -> key.sent(nanos)), sum(KeyBudget::answeredInAll),
        keys.stream().map(key -> key.remaining(now, nanos)).toList());
  }

  private long sum(ToLongFunction<KeyBudget> of) {
    return keys.stream().mapToLong(of).sum();
  }

  /**
   * Returns a reservation that covers these calls and a few calls ahead, but no more calls ahead than this session got
   * answers. The next owner of the source counts all reserved calls as spent, so sessions that end early must not
   * reserve many. The credit of the reservation is that after these calls.
   */
  Budget reservationFor(List<Integer> calls, Instant at, long nanos) {
    var budget = together(at, at, nanos, number -> {
      var key = keys.get(number);
      var own = (int) calls.stream().filter(each -> each == number).count();
      return own == 0 && key.isOut()
          ? key.month().reserved() : key.month().reservationFor(own, key.answeredInAll());
    });
    budget.setCredit(credit - creditFor(calls));
    return budget;
  }

  /** Returns the reservation for an orderly stop, which covers no more calls than were spent. */
  Budget settledReservation(Instant at, long nanos) {
    return together(reservedAt, at, nanos, key -> keys.get(key).month().spent());
  }

  /** Returns the committed reservation, with the calls answered so far as spent. */
  Budget currentReservation(Instant at, long nanos) {
    return together(reservedAt, at, nanos, key -> keys.get(key).month().reserved());
  }

  /** Applies a reservation that was committed. */
  void reserved(Budget budget) {
    reservedAt = budget.getReservedAt();
    for (int key = 0; key < keys.size(); key++) {
      keys.get(key).month().reserved(budget.getMonth(), budget.getKeys().get(key).getReserved());
    }
  }

  /** @param reservedOf returns the calls to reserve for the key with the given number */
  private Budget together(@Nullable Instant reservation, Instant at, long nanos, IntToLongFunction reservedOf) {
    var usages = IntStream.range(0, keys.size())
        .mapToObj(key -> keys.get(key).usage(reservedOf.applyAsLong(key), nanos)).toList();
    var month = keys.getFirst().month().startsAt();
    return Budget.newBuilder()
        .setMonth(month)
        .setPerMonth(sum(usages, KeyUsage::getPerMonth))
        .setPerMinute(sum(usages, KeyUsage::getPerMinute))
        .setReserved(sum(usages, KeyUsage::getReserved))
        .setReservedAt(reservation)
        .setBoth(sum(usages, KeyUsage::getBoth))
        .setSpent(sum(usages, KeyUsage::getSpent))
        .setCountedAt(at)
        .setCredit(credit)
        .setMinute(seconds(usages))
        .setKeys(Stream.concat(usages.stream(), month.equals(absentMonth) ? absent.stream() : Stream.empty()).toList())
        .build();
  }

  private static long sum(List<KeyUsage> usages, ToLongFunction<KeyUsage> of) {
    return usages.stream().mapToLong(of).sum();
  }

  /** Returns the number of calls in each second of the last minute, summed over the keys. */
  private static List<Integer> seconds(List<KeyUsage> usages) {
    var seconds = new ArrayList<Integer>();
    for (var usage : usages) {
      for (int second = 0; second < usage.getMinute().size(); second++) {
        if (second == seconds.size()) {
          seconds.add(0);
        }
        seconds.set(second, seconds.get(second) + usage.getMinute().get(second));
      }
    }
    return seconds;
  }
}
