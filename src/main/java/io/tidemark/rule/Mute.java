package io.tidemark.rule;

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
    var local = at.atZone(zone);
    var time = local.toLocalTime();
    var begunToday = days.contains(local.getDayOfWeek()) && !time.isBefore(from);
    return from.isBefore(to)
        ? begunToday && time.isBefore(to)
        : begunToday || (days.contains(local.getDayOfWeek().minus(1)) && time.isBefore(to));
  }

  /** Returns the next time after {@code time} at which the mute may begin or end. */
  public Instant nextChangeAfter(Instant time) {
    var today = time.atZone(zone).toLocalDate();
    return LongStream.rangeClosed(0, 2).mapToObj(today::plusDays)
        .flatMap(day -> Stream.of(from, to).map(each -> day.atTime(each).atZone(zone).toInstant()))
        .filter(each -> each.isAfter(time))
        .min(Instant::compareTo)
        .orElseThrow();
  }
}
