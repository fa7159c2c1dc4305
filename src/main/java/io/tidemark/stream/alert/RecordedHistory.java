package io.tidemark.stream.alert;

import io.tidemark.event.AttributeSeries;
import io.tidemark.event.AttributeSeriesSet;
import io.tidemark.event.MinuteBucket;
import io.tidemark.rule.expression.AttributeHistory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The past of one resource at a moment, in minutes: a stretch begins with the minute it begins in.
 *
 * <p>It is too sparse where two looks that followed each other lie further apart than the stretch is long: what moved
 * between them may have moved before it.
 */
record RecordedHistory(Instant now, @Nullable AttributeSeriesSet courses) implements AttributeHistory {

  @Override
  public @Nullable WindowSummary window(String path, Duration length) {
    var course = course(path);
    var start = now.minus(length);
    if (course == null || course.getSince().isAfter(start)) {
      return null;
    }
    return over(course, start.truncatedTo(ChronoUnit.MINUTES), length.toMillis());
  }

  @Override
  public @Nullable Instant changedAt(String path) {
    var course = course(path);
    return course == null ? null : course.getChangedAt();
  }

  private @Nullable AttributeSeries course(String path) {
    return courses == null ? null : find(courses, path);
  }

  static @Nullable AttributeSeries find(AttributeSeriesSet courses, String path) {
    return courses.getSeries().stream().filter(each -> each.getPath().equals(path)).findFirst().orElse(null);
  }

  private static @Nullable WindowSummary over(AttributeSeries course, Instant start, long longestGap) {
    double first = course.getBefore();
    var figures = new WindowFigures();
    for (var minute : course.getMinutes()) {
      if (minute.getStart().isBefore(start)) {
        first = minute.getLast();
      } else if (minute.getGap() > longestGap) {
        return null;
      } else {
        figures.add(minute);
      }
    }
    return figures.from(first);
  }

  /** The figures of minutes, one after another. */
  private static final class WindowFigures {
    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;
    private double sum;
    private long count;

    void add(MinuteBucket minute) {
      low = Math.min(low, minute.getLow());
      high = Math.max(high, minute.getHigh());
      sum += minute.getSum();
      count += minute.getCount();
    }

    WindowSummary from(double first) {
      return new WindowSummary(first, Math.min(first, low), Math.max(first, high), sum, count);
    }
  }
}
