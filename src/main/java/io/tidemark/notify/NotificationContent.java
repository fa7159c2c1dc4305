package io.tidemark.notify;

import static java.util.stream.Collectors.joining;

import io.tidemark.event.Alert;
import io.tidemark.event.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A notification as text for people: a few lines without repetition, bounded and without control characters. The text
 * is not escaped; {@link #render} escapes it.
 *
 * @param title severity and rule; for a resolved alert, "resolved", rule and duration; for a digest, severity and
 *     number of alerts
 * @param summary what happened, or the state at the end of a resolved alert, or the period of a digest
 * @param facts details that the summary does not contain
 * @param links URLs by the names of the links
 */
record NotificationContent(String title, String summary, List<Fact> facts, SequencedMap<String, String> links) {

  private static final int LONGEST_SUMMARY = 300;
  private static final int LONGEST_FACT = 160;
  private static final int MOST_FACTS = 6;
  private static final int MOST_COUNTS = 8;
  private static final int MOST_NAMED = 5;

  /** Age above which the text of an alert says when the alert happened. */
  private static final Duration LATE = Duration.ofMinutes(2);

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  record Fact(String name, String value) {

    Fact {
      name = SafeText.singleLine(name, LONGEST_FACT);
      value = SafeText.singleLine(value, LONGEST_FACT);
    }

    @Override
    public String toString() {
      return name + ": " + value;
    }
  }

  /** @param now time at which the notification is sent */
  static NotificationContent of(Notification notification, NotificationLinks links, Instant now) {
    return switch (notification) {
      case Notification.SingleAlert(var alert, var trace) -> of(alert, links.of(alert), now);
      case Notification.AlertDigest digest -> of(digest);
    };
  }

  private static NotificationContent of(Alert alert, SequencedMap<String, String> links, Instant now) {
    var title = title(alert);
    var summary = SafeText.singleLine(summary(alert), LONGEST_SUMMARY);
    var shown = (title + " " + summary).toLowerCase(Locale.ROOT);
    var facts = new ArrayList<Fact>();
    if (isResolved(alert) && alert.getReason() != null && !alert.getReason().equals("over")) {
      facts.add(new Fact("resolved because", alert.getReason()));
    }
    if (alert.getEventTime().plus(LATE).isBefore(now)) {
      facts.add(new Fact("at", MINUTE.format(alert.getEventTime())));
    }
    Stream.of(alert.getLabels(), alert.getAnnotations()).flatMap(each -> each.entrySet().stream())
        .filter(each -> !isShown(each.getValue(), shown))
        .forEach(each -> facts.add(new Fact(each.getKey(), each.getValue())));
    if (links.isEmpty() && !Stream.of(alert.getSubject().split("/", -1)).allMatch(part -> isShown(part, shown))) {
      facts.add(new Fact("about", alert.getSubject()));
    }
    return new NotificationContent(title, summary, facts.stream().limit(MOST_FACTS).toList(), links);
  }

  private static NotificationContent of(Notification.AlertDigest digest) {
    var facts = new ArrayList<Fact>();
    digest.counts().stream().limit(MOST_COUNTS).forEach(count -> facts.add(new Fact(
        count.rule() + (count.status().equals("resolved") ? " resolved" : ""),
        count.count() + " " + count.severity())));
    if (digest.counts().size() > MOST_COUNTS) {
      facts.add(new Fact("and more", digest.counts().size() - MOST_COUNTS + " rules"));
    }
    digest.worst().stream().limit(MOST_NAMED).forEach(alert -> facts.add(
        new Fact(alert.getRule() + (isResolved(alert) ? " resolved" : ""), summary(alert))));
    var to = isOneDay(digest) ? TIME_OF_DAY : MINUTE;
    var late = digest.late() == 0 ? "" : ", " + digest.late() + " of them late";
    return new NotificationContent(
        "[" + digest.severity() + "] " + digest.alerts() + " alerts",
        MINUTE.format(digest.from()) + " to " + to.format(digest.to()) + late,
        List.copyOf(facts),
        new LinkedHashMap<>());
  }

  private static boolean isOneDay(Notification.AlertDigest digest) {
    return digest.from().truncatedTo(ChronoUnit.DAYS).equals(digest.to().truncatedTo(ChronoUnit.DAYS));
  }

  private static String title(Alert alert) {
    var severity = isResolved(alert) ? "resolved" : alert.getSeverity();
    var duration = duration(alert);
    return "[" + severity + "] " + alert.getRule() + (duration == null ? "" : " after " + duration);
  }

  private static String summary(Alert alert) {
    return isResolved(alert)
        ? Objects.requireNonNullElse(alert.getEndSummary(), alert.getSummary())
        : alert.getSummary();
  }

  static boolean isResolved(Alert alert) {
    return alert.getStatus().equals("resolved");
  }

  /** Returns how long the condition of a resolved alert held, or null for other alerts. */
  private static @Nullable String duration(Alert alert) {
    return alert.getStartedAt() == null || alert.getEndedAt() == null
        ? null
        : text(Duration.between(alert.getStartedAt(), alert.getEndedAt()));
  }

  /** Formats a duration in at most its two largest units, such as {@code 2 h 5 min}. */
  private static String text(Duration duration) {
    if (duration.toHours() >= 24) {
      return duration.toDays() + " d " + duration.toHoursPart() + " h";
    }
    if (duration.toMinutes() >= 60) {
      return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
    return duration.toMinutes() >= 1 ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
  }

  /**
   * Returns whether a value is missing, or contained in {@code shown}, the text that is already shown in lower case. A
   * part of a word does not count: "WETH" does not show the network "eth". The value {@code unknown} counts as missing.
   */
  private static boolean isShown(String value, String shown) {
    var text = SafeText.singleLine(value, LONGEST_FACT).toLowerCase(Locale.ROOT);
    return value.isBlank() || value.equals("unknown")
        || Pattern.compile("(?<![\\p{L}\\p{N}])" + Pattern.quote(text) + "(?![\\p{L}\\p{N}])").matcher(shown).find();
  }

  /**
   * Renders the content in the markup of a chat, cut after the last fact that fits. Only facts are cut: the title,
   * the summary and the links are always complete. The operators must escape their arguments, which may contain any
   * text.
   *
   * @param code formats text so that nothing in it becomes a link, a mention or markup
   * @param link makes a link from a name and a URL without spaces or control characters
   */
  String render(UnaryOperator<String> bold, UnaryOperator<String> code, BinaryOperator<String> link, int longest) {
    var text = new StringBuilder(bold.apply(title)).append('\n').append(code.apply(summary));
    var lastLine = links.isEmpty()
        ? ""
        : links.entrySet().stream().map(each -> link.apply(each.getKey(), each.getValue()))
            .collect(joining(" · ", "\n", ""));
    for (var fact : facts) {
      var line = "\n" + code.apply(fact.toString());
      if (text.length() + line.length() + lastLine.length() > longest) {
        break;
      }
      text.append(line);
    }
    return text.append(lastLine).toString();
  }
}
