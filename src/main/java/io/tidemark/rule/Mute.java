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

  /** Returns whether the mute applies to an alert at the given time. */
  public boolean mutes(Alert alert, Instant at) {
    return isOn(at)
        && (rules.isEmpty() || rules.contains(alert.getRule()))
        && (severities.isEmpty() || severities.contains(alert.getSeverity()))
        && alert.getLabels().entrySet().containsAll(labels.entrySet());
  }

  private boolean isOn(Instant at) {
    return around(at).anyMatch(each -> !at.isBefore(each.lowerEndpoint()) && at.isBefore(each.upperEndpoint()));
  }

  /** Returns the next time after {@code time} at which the mute may begin or end. */
  public Instant nextChangeAfter(Instant time) {
    return around(time).flatMap(each -> Stream.of(each.lowerEndpoint(), each.upperEndpoint()))
        .filter(each -> each.isAfter(time))
        .min(Instant::compareTo)
        .orElseThrow();
  }

  /** Returns the spans of the mute that begin on the days from a week before to a week after a time. */
  private Stream<Range<Instant>> around(Instant time) {
    var today = time.atZone(zone).toLocalDate();
    return LongStream.rangeClosed(-7, 7).mapToObj(today::plusDays)
        .filter(day -> days.contains(day.getDayOfWeek()))
        .map(day -> Range.closedOpen(day.atTime(from).atZone(zone).toInstant(),
            (from.isBefore(to) ? day : day.plusDays(1)).atTime(to).atZone(zone).toInstant()));
  }
}
