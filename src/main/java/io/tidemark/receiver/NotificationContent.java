package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.event.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a person needs to decide, in a few lines; strangers' words in it are harmless, but not yet escaped.
 *
 * @param title whose word it is: severity, state and rule
 * @param summary what happened
 * @param facts what decided, and where and when
 */
record NotificationContent(String title, String summary, List<Fact> facts, @Nullable String link) {

  private static final int LONGEST_WORDS = 300;
  private static final int LONGEST_FACT = 90;
  private static final int MOST_FACTS = 14;
  private static final String BEFORE = "before.";

  record Fact(String name, String value) {}

  static NotificationContent of(Notification notification, LinkTemplate link) {
    return switch (notification) {
      case Notification.SingleAlert(var alert) -> of(alert, link);
      case Notification.AlertDigest many -> of(many);
    };
  }

  private static NotificationContent of(Alert alert, LinkTemplate link) {
    var facts = new ArrayList<Fact>();
    alert.getLabels().forEach((name, value) -> facts.add(fact(name, value)));
    alert.getEvidence().forEach(evidence -> values(evidence.getValues(), facts));
    facts.add(fact("about", alert.getSubject()));
    facts.add(fact("seen", observed(alert)));
    return new NotificationContent(
        title(alert.getSeverity(), alert.getStatus(), alert.getRule()),
        SafeText.singleLine(alert.getSummary(), LONGEST_WORDS),
        facts.stream().limit(MOST_FACTS).toList(),
        link.of(alert));
  }

  private static NotificationContent of(Notification.AlertDigest many) {
    var facts = new ArrayList<Fact>();
    many.counts().byRule().forEach(
        count -> facts.add(fact(count.rule() + " " + count.status(), count.count() + " times, " + count.severity())));
    many.counts().worst().forEach(alert -> facts.add(fact(alert.getRule(), alert.getSummary())));
    var late = many.counts().late() == 0 ? "" : ", " + many.counts().late() + " of them late";
    return new NotificationContent(
        title(many.counts().severity(), "digest", many.counts().total() + " alerts"),
        "from " + second(many.from()) + " to " + second(many.to()) + late,
        facts.stream().limit(MOST_FACTS).toList(),
        null);
  }

  private static String title(String severity, String status, String rule) {
    return "[" + severity + "] " + rule + " " + status;
  }

  /** Values that have one before them are told as a move. */
  private static void values(Map<String, String> values, List<Fact> facts) {
    new TreeMap<>(values).forEach((path, value) -> {
      if (!path.startsWith(BEFORE)) {
        var before = values.get(BEFORE + path);
        facts.add(fact(path, before == null ? value : before + " -> " + value));
      }
    });
  }

  /** When it was seen, and how long after it happened at the latest it was said. */
  private static String observed(Alert alert) {
    var observed = alert.getEvidence().stream().map(Evidence::getObservedAt).max(Instant::compareTo);
    return observed
        .map(at -> second(at) + lag(at, alert.getEventTime()))
        .orElseGet(() -> second(alert.getEventTime()));
  }

  private static String lag(Instant observed, Instant said) {
    var seconds = Duration.between(observed, said).toSeconds();
    return seconds < 1 ? "" : ", said " + seconds + " s later";
  }

  private static String second(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static Fact fact(String name, String value) {
    return new Fact(SafeText.singleLine(name, LONGEST_FACT), SafeText.singleLine(value, LONGEST_FACT));
  }
}
