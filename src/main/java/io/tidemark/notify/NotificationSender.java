package io.tidemark.notify;

import io.tidemark.kafka.Traces;
import io.tidemark.notify.Receivers.DeliveryProgress;
import io.tidemark.notify.WebhookClient.DeliveryResult;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sender that sends notifications to one receiver and records the outcomes. Confined to one thread. */
final class NotificationSender implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NotificationSender.class);

  private final Receiver receiver;
  private final WebhookClient client;
  private final DeliveryListener listener;
  private final InstantSource clock;
  private String deliveredAt = "";
  private String problem = "";

  NotificationSender(Receiver receiver, DeliveryListener listener, Traces traces, InstantSource clock) {
    this.receiver = receiver;
    this.client = new WebhookClient(receiver, traces);
    this.listener = listener;
    this.clock = clock;
  }

  /** Sends a notification. Blocks until the receiver has answered, for a bounded time. */
  DeliveryResult send(Notification notification) {
    return client.send(notification, clock.instant());
  }

  /** @param aside offsets of the alerts that are set aside */
  DeliveryProgress progress(Collection<Long> aside) {
    return new DeliveryProgress(deliveredAt, problem, List.copyOf(aside));
  }

  String problem() {
    return problem;
  }

  @Override
  public void close() {
    client.close();
  }

  /**
   * @param givenUp id of the notification that will not be sent again, which is this notification or an alert that was
   *     set aside earlier; null if none was given up
   */
  void record(Notification notification, DeliveryResult result, @Nullable String givenUp) {
    var delivered = result instanceof DeliveryResult.Delivered;
    var isGivenUp = notification.id().equals(givenUp);
    listener.attempted(receiver.name(), delivered ? "delivered" : givenUp != null ? "refused" : "later");
    if (notification instanceof Notification.AlertDigest digest && (delivered || isGivenUp)) {
      listener.digested(receiver.name(), digest.alerts());
    }
    switch (result) {
      case DeliveryResult.Delivered taken -> {
        deliveredAt = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        if (!problem.isEmpty()) {
          LOG.info("{}: deliveries work again", receiver);
        }
        problem = "";
      }
      case DeliveryResult.RetryLater(var reason, var after) -> problemFound(notification, reason, isGivenUp);
      case DeliveryResult.RejectedByReceiver(var reason) -> problemFound(notification, reason, isGivenUp);
    }
    if (givenUp != null) {
      LOG.warn(
          "{}: notification {} is dropped, because its delivery fails although other notifications are delivered."
              + " Last failure: {}",
          receiver, givenUp, problem);
    }
  }

  /** Logs a problem, unless the last attempt had the same problem. */
  private void problemFound(Notification notification, String reason, boolean isGivenUp) {
    if (!isGivenUp && !reason.equals(problem)) {
      LOG.warn(
          "{}: notification {} was not delivered and will be sent again. Cause: {}. If failures continue, run:"
              + " tidemark receivers test {}",
          receiver, notification.id(), reason, receiver.name());
    }
    problem = reason;
  }
}
