package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.event.Harmless;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event of PagerDuty's Events API v2, at {@code https://events.pagerduty.com/v2/enqueue}: one incident for each
 * fingerprint, resolved with it.
 */
public record PagerDuty(RoutingKey routingKey, Link link) implements Format {

  private static final int LONGEST = 1024;

  /** Says whose incidents they are; never printed. */
  public record RoutingKey(String value) {
    @Override
    public String toString() {
      return "***";
    }
  }

  @Override
  public Post post(Notice notice, Instant now) {
    return Post.json(switch (notice) {
      case Notice.One(var alert) -> event(alert);
      case Notice.Many many -> Json.object(
          "routing_key", routingKey.value(),
          "event_action", "trigger",
          "dedup_key", many.id(),
          "payload", payload(Story.of(many, link), many.tally().severity(), many.to(), Program.digest(many)));
    });
  }

  @Override
  public boolean keepsOpen() {
    return true;
  }

  private Map<String, Object> event(Alert alert) {
    var resolved = alert.getStatus().equals("resolved");
    var story = Story.of(new Notice.One(alert), link);
    return Json.object(
        "routing_key", routingKey.value(),
        "event_action", resolved ? "resolve" : "trigger",
        "dedup_key", alert.getFingerprint(),
        "payload", payload(story, alert.getSeverity(), alert.getEventTime(), Program.alert(alert, null)),
        "links", links(story.link()));
  }

  private static Map<String, Object> payload(Story story, String severity, Instant at, Object details) {
    return Json.object(
        "summary", Harmless.line(story.head() + ": " + story.words(), LONGEST),
        "source", "tidemark",
        "severity", severity,
        "timestamp", at.toString(),
        "custom_details", details);
  }

  private static @Nullable Object links(@Nullable String link) {
    return link == null ? null : List.of(Json.object("href", link, "text", "open"));
  }
}
