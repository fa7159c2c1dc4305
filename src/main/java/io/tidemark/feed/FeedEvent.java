package io.tidemark.feed;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.topic.RecordSchemas;
import io.tidemark.topic.Topic;
import java.util.Locale;

/** A kind of event of a feed. */
public enum FeedEvent {
  RECORD("A record."),
  UNREADABLE("A record that cannot be read: `value` is null, and `unreadable` says why."),
  CAUGHT_UP("All that was in this topic at the start is sent."),
  GAP("These offsets cannot be read any more. `records` counts offsets, so it is a few more than records; it is null"
      + " where the log has become shorter."),
  END("The server closes the connection; connect again with the last id.");

  private final String description;

  FeedEvent(String description) {
    this.description = description;
  }

  /** The name in the stream. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The JSON Schema of its data.
   *
   * @param topic whose records it is about
   */
  public ObjectNode schema(Topic<?> topic, RecordSchemas schemas) {
    return switch (this) {
      case RECORD -> schemas.record(topic);
      case UNREADABLE -> schemas.unreadable();
      case CAUGHT_UP -> object("string", "topic");
      case GAP -> {
        var gap = object("integer", "partition", "from", "to");
        gap.withObjectProperty("properties").putObject("topic").put("type", "string");
        gap.withArray("required").add("topic");
        gap.withObjectProperty("properties").putObject("records").putArray("type").add("integer").add("null");
        gap.withArray("required").add("records");
        yield gap;
      }
      case END -> object("string", "reason");
    };
  }

  private static ObjectNode object(String type, String... required) {
    var schema = object();
    for (var name : required) {
      schema.withObjectProperty("properties").putObject(name).put("type", type);
      schema.withArray("required").add(name);
    }
    return schema;
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode().put("type", "object");
  }

  /** What it says, for people, in Markdown. */
  public String description() {
    return description;
  }
}
