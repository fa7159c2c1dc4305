package io.tidemark.receiver;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells one receiver, and remembers how that went; one thread's. */
final class Notifier implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);

  private final Receiver receiver;
  private final WebhookClient posting;
  private final DeliveryListener deliveries;
  private final InstantSource clock;
  private String deliveredAt = "";
  private String problem = "";

  Notifier(Receiver receiver, DeliveryListener deliveries, InstantSource clock) {
    this.receiver = receiver;
    this.posting = new WebhookClient(receiver);
    this.deliveries = deliveries;
    this.clock = clock;
  }

  /** Blocks until the receiver has answered, for a bounded time. */
  DeliveryResult send(Notification notification) {
    var result = posting.send(receiver.format().request(notification, clock.instant()));
    if (notification instanceof Notification.AlertDigest many && !(result instanceof DeliveryResult.RetryLater)) {
      deliveries.digested(receiver.name(), many.counts().total());
    }
    recordResult(notification, result);
    return result;
  }

  DeliveryProgress progress() {
    return new DeliveryProgress(deliveredAt, problem);
  }

  @Override
  public void close() {
    posting.close();
  }

  private void recordResult(Notification notification, DeliveryResult result) {
    switch (result) {
      case DeliveryResult.Delivered delivered -> {
        deliveries.attempted(receiver.name(), "delivered");
        deliveredAt = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        logProblem("", "");
      }
      case DeliveryResult.RetryLater(var why, var after) -> {
        deliveries.attempted(receiver.name(), "later");
        logProblem(why, "it is tried again");
      }
      case DeliveryResult.RejectedByReceiver(var why) -> {
        deliveries.attempted(receiver.name(), "refused");
        LOG.debug("{}: {} was refused", receiver, notification.id());
        logProblem(why,
            "what it refuses is passed over; check its settings with: tidemark receivers test " + receiver.name());
      }
    }
  }

  /** Each trouble once, and its end. */
  private void logProblem(String why, String then) {
    if (!why.equals(problem) && !why.isEmpty()) {
      LOG.warn("{}: {}; {}", receiver, why, then);
    } else if (why.isEmpty() && !problem.isEmpty()) {
      LOG.info("{}: delivers again", receiver);
    }
    problem = why;
  }
}
