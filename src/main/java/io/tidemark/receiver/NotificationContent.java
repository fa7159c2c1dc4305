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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A notification as text for people: a few lines, each bounded and without control characters. Not escaped:
 * that is the part of {@link #render}.
 *
 * @param title severity, rule and status
 * @param summary what happened
 * @param facts labels, evidence, subject and times
 */
record NotificationContent(String title, String summary, List<Fact> facts, @Nullable String link) {

  private static final int LONGEST_SUMMARY = 300;
  private static final int LONGEST_FACT = 90;
  private static final int MOST_FACTS = 14;
  private static final String BEFORE = "before.";

  record Fact(String name, String value) {

    static Fact of(String name, String value) {
      return new Fact(SafeText.singleLine(name, LONGEST_FACT), SafeText.singleLine(value, LONGEST_FACT));
    }
  }

  static NotificationContent of(Notification notification, LinkTemplate link) {
    return switch (notification) {
      case Notification.SingleAlert(var alert) -> of(alert, link);
      case Notification.AlertDigest digest -> of(digest);
    };
  }

  private static NotificationContent of(Alert alert, LinkTemplate link) {
    var facts = new ArrayList<Fact>();
    alert.getLabels().forEach((name, value) -> facts.add(Fact.of(name, value)));
    alert.getEvidence().forEach(evidence -> addValues(evidence.getValues(), facts));
    facts.add(Fact.of("about", alert.getSubject()));
    facts.add(Fact.of("observed", observed(alert)));
    return new NotificationContent(
        title(alert.getSeverity(), alert.getRule(), alert.getStatus()),
        SafeText.singleLine(alert.getSummary(), LONGEST_SUMMARY),
        facts.stream().limit(MOST_FACTS).toList(),
        link.of(alert));
  }

  private static NotificationContent of(Notification.AlertDigest digest) {
    var facts = new ArrayList<Fact>();
    digest.counts().forEach(count -> facts
        .add(Fact.of(count.rule() + " " + count.status(), count.count() + " times, " + count.severity())));
    digest.worst().forEach(alert -> facts.add(Fact.of(alert.getRule(), alert.getSummary())));
    var late = digest.late() == 0 ? "" : ", " + digest.late() + " of them late";
    return new NotificationContent(
        title(digest.severity(), digest.alerts() + " alerts", "digest"),
        "from " + second(digest.from()) + " to " + second(digest.to()) + late,
        facts.stream().limit(MOST_FACTS).toList(),
        null);
  }

  private static String title(String severity, String rule, String status) {
    return "[" + severity + "] " + rule + " " + status;
  }

  /** Adds each value; one with a value before as {@code before -> after}. */
  private static void addValues(Map<String, String> values, List<Fact> facts) {
    new TreeMap<>(values).forEach((path, value) -> {
      if (!path.startsWith(BEFORE)) {
        var before = values.get(BEFORE + path);
        facts.add(Fact.of(path, before == null ? value : before + " -> " + value));
      }
    });
  }

  /** The time of the newest evidence, and how long after it the alert was published. */
  private static String observed(Alert alert) {
    return alert.getEvidence().stream()
        .map(Evidence::getObservedAt)
        .max(Instant::compareTo)
        .map(at -> second(at) + lag(at, alert.getEventTime()))
        .orElseGet(() -> second(alert.getEventTime()));
  }

  private static String lag(Instant observed, Instant published) {
    var seconds = Duration.between(observed, published).toSeconds();
    return seconds < 1 ? "" : ", published " + seconds + " s later";
  }

  private static String second(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * Writes it in the markup of a chat, cut after the last fact that fits. Each operator escapes text of any origin.
   *
   * @param code nothing in the text becomes a link, a mention or markup
   * @param link of a URL without spaces or control characters
   */
  String render(UnaryOperator<String> bold, UnaryOperator<String> code, UnaryOperator<String> link, int longest) {
    var text = new StringBuilder(bold.apply(title)).append('\n').append(code.apply(summary));
    var lastLine = this.link == null ? "" : "\n" + link.apply(this.link);
    for (var fact : facts) {
      var line = "\n" + code.apply(fact.name() + ": " + fact.value());
      if (text.length() + line.length() + lastLine.length() > longest) {
        break;
      }
      text.append(line);
    }
    return text.append(lastLine).toString();
  }
}
