package io.tidemark.stream.alert;

import io.tidemark.event.Bucket;
import io.tidemark.event.Course;
import io.tidemark.event.Courses;
import io.tidemark.rule.Past;
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
record Remembered(Instant now, @Nullable Courses courses) implements Past {

  @Override
  public @Nullable Stretch over(String path, Duration length) {
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

  private @Nullable Course course(String path) {
    return courses == null ? null : find(courses, path);
  }

  static @Nullable Course find(Courses courses, String path) {
    return courses.getCourses().stream().filter(each -> each.getPath().equals(path)).findFirst().orElse(null);
  }

  private static @Nullable Stretch over(Course course, Instant start, long longestGap) {
    double first = course.getBefore();
    var figures = new Figures();
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
  private static final class Figures {
    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;
    private double sum;
    private long count;

    void add(Bucket minute) {
      low = Math.min(low, minute.getLow());
      high = Math.max(high, minute.getHigh());
      sum += minute.getSum();
      count += minute.getCount();
    }

    Stretch from(double first) {
      return new Stretch(first, Math.min(first, low), Math.max(first, high), sum, count);
    }
  }
}
