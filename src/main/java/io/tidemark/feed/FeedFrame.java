package io.tidemark.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.RecordJson;
import io.tidemark.topic.TopicReader.LostRange;

/** Events in the form of Server-Sent Events, as UTF-8: {@code event} and {@code data} without the line of the id. */
final class FeedFrame {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private FeedFrame() {}

  /** A record as {@code tail --format json} prints it; {@code unreadable} is the name of one that cannot be read. */
  static byte[] record(CommittedRecord record) {
    return event(record.unreadable() == null ? FeedEvent.RECORD : FeedEvent.UNREADABLE,
        RecordJson.of(record).toString());
  }

  /** Offsets that cannot be read any more; {@code records} is null where the log has become shorter. */
  static byte[] gap(LostRange lost) {
    var json = JSON.objectNode()
        .put("topic", lost.partition().topic())
        .put("partition", lost.partition().partition())
        .put("from", lost.begin())
        .put("to", lost.end());
    if (lost.end() < lost.begin()) {
      json.putNull("records");
    } else {
      json.put("records", lost.end() - lost.begin());
    }
    return event(FeedEvent.GAP, json.toString());
  }

  static byte[] caughtUp(String topic) {
    return event(FeedEvent.CAUGHT_UP, JSON.objectNode().put("topic", topic).toString());
  }

  static byte[] end(String reason) {
    return event(FeedEvent.END, JSON.objectNode().put("reason", reason).toString());
  }

  /** The offsets as they are in an id. */
  static byte[] offsets(FeedOffsets offsets) {
    return offsets.id().getBytes(UTF_8);
  }

  /** How the line of an id begins; with {@link #EMPTY_LINE} behind it, an event without data. */
  static final byte[] ID = "id: ".getBytes(UTF_8);

  static final byte[] EMPTY_LINE = "\n".getBytes(UTF_8);

  /** Says nothing, and keeps a connection alive. */
  static final byte[] COMMENT = ":\n\n".getBytes(UTF_8);

  private static byte[] event(FeedEvent event, String json) {
    return ("event: " + event.wire() + "\ndata: " + json + "\n\n").getBytes(UTF_8);
  }
}
