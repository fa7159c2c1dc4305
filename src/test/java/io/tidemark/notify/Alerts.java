package io.tidemark.notify;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sample alerts. */
final class Alerts {

  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  static final DeliveryListener NO_LISTENER = new DeliveryListener() {
    @Override
    public void attempted(String receiver, String outcome) {}

    @Override
    public void digested(String receiver, int alerts) {}

    @Override
    public void reported(String receiver, DeliveryState state) {}
  };

  static final AlertMatcher ALL = new AlertMatcher(Set.of(), "info", Map.of());

  static final NotificationLimit LIMIT = new NotificationLimit(20, Duration.ofMinutes(1));

  private Alerts() {}

  static Alert priceMoved(String id) {
    return priceMoved(id, "PEPE / WETH up 25 %");
  }

  static Alert priceMoved(String id, String summary) {
    return Alert.newBuilder()
        .setId(id)
        .setRule("price-move")
        .setFingerprint("f00d")
        .setSeverity("warning")
        .setSubject("eth_0xa")
        .setSummary(summary)
        .setEventTime(NOON.plusSeconds(4))
        .setLabels(Map.of("network", "eth"))
        .setEvidence(List.of(Evidence.newBuilder()
            .setTopic("pool.changes")
            .setKey("eth_0xa")
            .setObservedAt(NOON)
            .setValues(Map.of("price.base_token_price_usd", "1.25", "before.price.base_token_price_usd", "1.0"))
            .build()))
        .build();
  }

  static Alert coverageLost(String status) {
    var alert = priceMoved("coverage-lost/" + status);
    alert.setRule("coverage-lost");
    alert.setKind("condition");
    alert.setStatus(status);
    alert.setStartedAt(NOON);
    alert.setFiredAt(status.equals("pending") ? null : NOON.plusSeconds(4));
    alert.setEndedAt(status.equals("resolved") ? NOON.plusSeconds(60) : null);
    return alert;
  }
}
