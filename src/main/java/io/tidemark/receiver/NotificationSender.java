package io.tidemark.receiver;

import io.tidemark.receiver.Receivers.DeliveryProgress;
import io.tidemark.receiver.WebhookClient.DeliveryResult;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends notifications to one receiver and records the outcome. Confined to one thread. */
final class NotificationSender implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NotificationSender.class);

  private final Receiver receiver;
  private final WebhookClient client;
  private final DeliveryListener listener;
  private final InstantSource clock;
  private String deliveredAt = "";
  private String problem = "";

  NotificationSender(Receiver receiver, DeliveryListener listener, InstantSource clock) {
    this.receiver = receiver;
    this.client = new WebhookClient(receiver);
    this.listener = listener;
    this.clock = clock;
  }

  /** Blocks until the receiver has answered, for a bounded time. */
  DeliveryResult send(Notification notification) {
    var result = client.send(receiver.format().request(notification, clock.instant()));
    if (notification instanceof Notification.AlertDigest digest && !(result instanceof DeliveryResult.RetryLater)) {
      listener.digested(receiver.name(), digest.alerts());
    }
    recordResult(notification, result);
    return result;
  }

  DeliveryProgress progress() {
    return new DeliveryProgress(deliveredAt, problem);
  }

  @Override
  public void close() {
    client.close();
  }

  private void recordResult(Notification notification, DeliveryResult result) {
    switch (result) {
      case DeliveryResult.Delivered delivered -> {
        listener.attempted(receiver.name(), "delivered");
        deliveredAt = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        if (!problem.isEmpty()) {
          LOG.info("{}: deliveries work again", receiver);
        }
        problem = "";
      }
      case DeliveryResult.RetryLater(var reason, var after) -> {
        listener.attempted(receiver.name(), "later");
        problemFound(reason, "the notification is sent again");
      }
      case DeliveryResult.RejectedByReceiver(var reason) -> {
        listener.attempted(receiver.name(), "refused");
        LOG.debug("{}: rejected notification {}", receiver, notification.id());
        problemFound(reason, "rejected notifications are not sent again; check the receiver's settings with:"
            + " tidemark receivers test " + receiver.name());
      }
    }
  }

  /** Logs each problem once. */
  private void problemFound(String reason, String consequence) {
    if (!reason.equals(problem)) {
      LOG.warn("{}: delivery failed: {}; {}", receiver, reason, consequence);
    }
    problem = reason;
  }
}
