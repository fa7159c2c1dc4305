package io.tidemark.stream.alert;

import io.tidemark.event.AttributeSeries;
import io.tidemark.event.MinuteBucket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the course of one attribute is kept: in minutes, those only that some rule can ask for. */
final class Recording {

  /** A record may tell of a look a little before the newest one. */
  private static final Duration LATE = Duration.ofMinutes(1);

  private Recording() {}

  static AttributeSeries begin(String path, Instant at, double value) {
    return new AttributeSeries(path, at, value, null, new ArrayList<>());
  }

  /**
   * Adds a value.
   *
   * @param looked when it was looked at the time before, where that is known
   * @param length of the past that may be asked for
   */
  static void add(AttributeSeries course, Instant at, double value, @Nullable Instant looked, Duration length) {
    if (value != newest(course)) {
      course.setChangedAt(at);
    }
    var minute = at.truncatedTo(ChronoUnit.MINUTES);
    var gap = looked == null ? 0 : Math.max(0, Duration.between(looked, at).toMillis());
    put(course.getMinutes(), new MinuteBucket(minute, value, value, value, value, 1L, gap));
    trim(course, at.minus(length).minus(LATE).truncatedTo(ChronoUnit.MINUTES));
  }

  static double newest(AttributeSeries course) {
    var minutes = course.getMinutes();
    return minutes.isEmpty() ? course.getBefore() : minutes.get(minutes.size() - 1).getLast();
  }

  private static void put(List<MinuteBucket> minutes, MinuteBucket bucket) {
    var place = minutes.size();
    while (place > 0 && minutes.get(place - 1).getStart().isAfter(bucket.getStart())) {
      place--;
    }
    if (place > 0 && minutes.get(place - 1).getStart().equals(bucket.getStart())) {
      minutes.set(place - 1, together(minutes.get(place - 1), bucket));
    } else {
      minutes.add(place, bucket);
    }
  }

  private static MinuteBucket together(MinuteBucket one, MinuteBucket later) {
    return new MinuteBucket(
        one.getStart(),
        Math.min(one.getLow(), later.getLow()),
        Math.max(one.getHigh(), later.getHigh()),
        later.getLast(),
        one.getSum() + later.getSum(),
        one.getCount() + later.getCount(),
        Math.max(one.getGap(), later.getGap()));
  }

  /** What is not kept any more is not known any more: of the time before, nothing can be said. */
  private static void trim(AttributeSeries course, Instant from) {
    var minutes = course.getMinutes();
    while (!minutes.isEmpty() && minutes.get(0).getStart().isBefore(from)) {
      var gone = minutes.remove(0);
      var over = gone.getStart().plus(1, ChronoUnit.MINUTES);
      course.setBefore(gone.getLast());
      course.setSince(over.isAfter(course.getSince()) ? over : course.getSince());
    }
  }
}
