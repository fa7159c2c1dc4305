package io.tidemark.rule;

import com.google.common.collect.Range;
import io.tidemark.event.Alert;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A mute that recurs on days of the week, of all alerts that match its rules, severities and labels. Like a {@link
 * Silence}, it applies by event time, and muted alerts are still published, with the name of the mute.
 *
 * @param rules names of the alerts' rules; empty for any rule
 * @param severities severities of the alerts; empty for any severity
 * @param labels labels that an alert must have, with their values
 * @param days days on which the mute begins
 * @param from time of the day at which the mute begins
 * @param to time at which it ends: on the next day if it is not after {@code from}
 */
public record Mute(String name, List<String> rules, List<String> severities, Map<String, String> labels,
    Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone) {

  public Mute {
    rules = List.copyOf(rules);
    severities = List.copyOf(severities);
    labels = Map.copyOf(labels);
    days = Set.copyOf(days);
    if (days.isEmpty()) {
      throw new IllegalArgumentException("a mute needs a day; without 'days', it begins every day");
    }
    if (rules.isEmpty() && severities.isEmpty() && labels.isEmpty()) {
      throw new IllegalArgumentException(
          "a mute needs rules, severities or labels: without any of these, it would mute every alert");
    }
  }

  public boolean mutes(Alert alert, Instant at) {
    return (rules.isEmpty() || rules.contains(alert.getRule()))
        && (severities.isEmpty() || severities.contains(alert.getSeverity()))
        && alert.getLabels().entrySet().containsAll(labels.entrySet())
        && spans(at, -2, 1).anyMatch(each -> each.contains(at));
  }

  /** Returns the next time after {@code time} at which the mute may begin or end. */
  public Instant nextChangeAfter(Instant time) {
    return spans(time, -2, 8).flatMap(each -> Stream.of(each.lowerEndpoint(), each.upperEndpoint()))
        .filter(each -> each.isAfter(time))
        .min(Instant::compareTo)
        .orElseThrow();
  }

  /**
   * Returns the spans of the mute that begin on the days around a time. A span is empty if the clock skips all of it.
   *
   * @param first first day, relative to the day of {@code time}
   * @param last last day, likewise
   */
  private Stream<Range<Instant>> spans(Instant time, int first, int last) {
    var today = time.atZone(zone).toLocalDate();
    return LongStream.rangeClosed(first, last).mapToObj(today::plusDays)
        .filter(day -> days.contains(day.getDayOfWeek()))
        .map(day -> {
          var begin = day.atTime(from).atZone(zone).toInstant();
          var end = (from.isBefore(to) ? day : day.plusDays(1)).atTime(to).atZone(zone).toInstant();
          return Range.closedOpen(begin, end.isBefore(begin) ? begin : end);
        });
  }
}
