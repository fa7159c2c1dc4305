package io.tidemark.stream.alert;

import io.tidemark.event.AttributeSeries;
import io.tidemark.event.AttributeSeriesSet;
import io.tidemark.event.MinuteBucket;
import io.tidemark.rule.expression.AttributeHistory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The history of one resource's attributes up to a time, in buckets of one minute. Rules read the history of an
 * attribute in windows that end at this time. The start of a window is rounded down to a full minute. When a value is
 * added, buckets are dropped that are older than the longest window of any rule plus {@link #MAX_LATENESS}.
 *
 * <p>A window has no value if the history began after the start of the window, or if two consecutive observations,
 * the later one in the window, are further apart than the window is long. In the second case, the attribute may have
 * changed before the window began.
 */
record RecordedHistory(Instant now, @Nullable AttributeSeriesSet series, @Nullable SpecificRecord previous)
    implements AttributeHistory {

  /**
   * Time for which buckets are kept beyond the longest window, because an observation in a record may be older than
   * the newest observation.
   */
  private static final Duration MAX_LATENESS = Duration.ofMinutes(1);

  @Override
  public @Nullable WindowSummary window(String path, Duration length) {
    var found = find(series, path);
    var start = now.minus(length);
    if (found == null || found.getSince().isAfter(start)) {
      return null;
    }
    return window(found, start.truncatedTo(ChronoUnit.MINUTES), length.toMillis());
  }

  @Override
  public @Nullable WindowSummary windowUpTo(String path, Duration longest) {
    var found = find(series, path);
    var covered = found == null ? longest : Duration.between(found.getSince(), now);
    return window(path, covered.compareTo(longest) < 0 ? covered : longest);
  }

  @Override
  public @Nullable Instant changedAt(String path) {
    var found = find(series, path);
    return found == null ? null : found.getChangedAt();
  }

  static @Nullable AttributeSeries find(@Nullable AttributeSeriesSet all, String path) {
    return all == null
        ? null
        : all.getSeries().stream().filter(each -> each.getPath().equals(path)).findFirst().orElse(null);
  }

  /** Returns a new series of an attribute whose first known value was observed at the given time. */
  static AttributeSeries start(String path, Instant observedAt, double value) {
    return new AttributeSeries(path, observedAt, value, null, new ArrayList<>(), 0L);
  }

  /**
   * Adds a value to the bucket of the minute in which the value was observed.
   *
   * @param previousObservedAt time of the attribute's previous observation; null if unknown
   * @param length length of the longest window of any rule over this attribute
   */
  static void add(
      AttributeSeries series,
      Instant observedAt,
      double value,
      @Nullable Instant previousObservedAt,
      Duration length) {
    if (value != newest(series)) {
      series.setChangedAt(observedAt);
    }
    var minute = observedAt.truncatedTo(ChronoUnit.MINUTES);
    var gap = previousObservedAt == null
        ? 0
        : Math.max(0, Duration.between(previousObservedAt, observedAt).toMillis());
    put(series.getMinutes(), new MinuteBucket(minute, value, value, value, value, 1L, gap));
    dropBefore(series, observedAt.minus(length).minus(MAX_LATENESS).truncatedTo(ChronoUnit.MINUTES));
  }

  static double newest(AttributeSeries series) {
    return series.getMinutes().isEmpty() ? series.getBefore() : series.getMinutes().getLast().getLast();
  }

  private static @Nullable WindowSummary window(AttributeSeries series, Instant start, long longestGap) {
    double first = series.getBefore();
    var low = Double.POSITIVE_INFINITY;
    var high = Double.NEGATIVE_INFINITY;
    var sum = 0.0;
    var count = 0L;
    for (var minute : series.getMinutes()) {
      if (minute.getStart().isBefore(start)) {
        first = minute.getLast();
      } else if (minute.getGap() > longestGap) {
        return null;
      } else {
        low = Math.min(low, minute.getLow());
        high = Math.max(high, minute.getHigh());
        sum += minute.getSum();
        count += minute.getCount();
      }
    }
    return new WindowSummary(first, Math.min(first, low), Math.max(first, high), sum, count);
  }

  private static void put(List<MinuteBucket> minutes, MinuteBucket bucket) {
    var index = minutes.size();
    while (index > 0 && minutes.get(index - 1).getStart().isAfter(bucket.getStart())) {
      index--;
    }
    if (index > 0 && minutes.get(index - 1).getStart().equals(bucket.getStart())) {
      minutes.set(index - 1, merge(minutes.get(index - 1), bucket));
    } else {
      minutes.add(index, bucket);
    }
  }

  private static MinuteBucket merge(MinuteBucket earlier, MinuteBucket later) {
    return new MinuteBucket(
        earlier.getStart(),
        Math.min(earlier.getLow(), later.getLow()),
        Math.max(earlier.getHigh(), later.getHigh()),
        later.getLast(),
        earlier.getSum() + later.getSum(),
        earlier.getCount() + later.getCount(),
        Math.max(earlier.getGap(), later.getGap()));
  }

  /** Drops the buckets that start before a time, so that the series begins after these buckets. */
  private static void dropBefore(AttributeSeries series, Instant from) {
    var minutes = series.getMinutes();
    while (!minutes.isEmpty() && minutes.getFirst().getStart().isBefore(from)) {
      var dropped = minutes.removeFirst();
      var end = dropped.getStart().plus(1, ChronoUnit.MINUTES);
      series.setBefore(dropped.getLast());
      series.setSince(end.isAfter(series.getSince()) ? end : series.getSince());
    }
  }
}
