package io.tidemark.receiver;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells one receiver, and remembers how that went; one thread's. */
final class Teller implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Teller.class);

  private final Receiver receiver;
  private final Posting posting;
  private final Deliveries deliveries;
  private final InstantSource clock;
  private String deliveredAt = "";
  private String trouble = "";

  Teller(Receiver receiver, Deliveries deliveries, InstantSource clock) {
    this.receiver = receiver;
    this.posting = new Posting(receiver);
    this.deliveries = deliveries;
    this.clock = clock;
  }

  /** Blocks until the receiver has answered, for a bounded time. */
  Reply tell(Notice notice) {
    var reply = posting.send(receiver.format().post(notice, clock.instant()));
    if (notice instanceof Notice.Many many && !(reply instanceof Reply.Later)) {
      deliveries.digested(receiver.name(), many.tally().all());
    }
    note(notice, reply);
    return reply;
  }

  Progress progress() {
    return new Progress(deliveredAt, trouble);
  }

  @Override
  public void close() {
    posting.close();
  }

  private void note(Notice notice, Reply reply) {
    switch (reply) {
      case Reply.Delivered delivered -> {
        deliveries.attempted(receiver.name(), "delivered");
        deliveredAt = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        said("", "");
      }
      case Reply.Later(var why, var after) -> {
        deliveries.attempted(receiver.name(), "later");
        said(why, "it is tried again");
      }
      case Reply.Refused(var why) -> {
        deliveries.attempted(receiver.name(), "refused");
        LOG.debug("{}: {} was refused", receiver, notice.id());
        said(why,
            "what it refuses is passed over; check its settings with: tidemark receivers test " + receiver.name());
      }
    }
  }

  /** Each trouble once, and its end. */
  private void said(String why, String then) {
    if (!why.equals(trouble) && !why.isEmpty()) {
      LOG.warn("{}: {}; {}", receiver, why, then);
    } else if (why.isEmpty() && !trouble.isEmpty()) {
      LOG.info("{}: delivers again", receiver);
    }
    trouble = why;
  }
}
