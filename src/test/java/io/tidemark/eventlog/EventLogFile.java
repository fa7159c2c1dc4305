package io.tidemark.eventlog;

import io.tidemark.event.AvroSettings;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** An event log as text: one JSON object a line, as {@code tidemark tail --format json} prints it. */
final class EventLogFile {
  static {
    AvroSettings.apply();
  }

  private final Map<String, Topic<?>> topics;

  private EventLogFile(Topics topics) {
    this.topics = topics.all().stream().collect(Collectors.toMap(Topic::name, topic -> topic));
  }

  /** Checks an event log; if it breaks a law, writes it to the folder target. */
  static void holds(EventLog eventLog, Runnable laws) {
    try {
      laws.run();
    } catch (AssertionError e) {
      write(eventLog, Path.of("target", "event-log-" + eventLog.topics().prefix() + "ndjson"));
      throw e;
    }
  }

  private static void write(EventLog eventLog, Path file) {
    try {
      Files.write(file, eventLog.entries().stream().map(EventLogFile::line).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static EventLog read(String text, Topics topics) {
    var file = new EventLogFile(topics);
    return new EventLog(topics, text.lines().filter(line -> !line.isBlank()).map(file::entry).toList());
  }

  private EventLog.Entry entry(String line) {
    Object json = Json.parse(line.getBytes(StandardCharsets.UTF_8));
    String topic = Json.text(Json.at(json, "topic"));
    var headers = new HashMap<String, String>();
    Json.object(Json.at(json, "headers")).forEach((name, value) -> headers.put(name, Json.text(value)));
    return new EventLog.Entry(
        topic,
        Integer.parseInt(Json.text(Json.at(json, "partition"))),
        Long.parseLong(Json.text(Json.at(json, "offset"))),
        time(Json.text(Json.at(json, "timestamp"))),
        Json.text(Json.at(json, "key")),
        headers,
        value(topics.get(topic), Json.at(json, "value")));
  }

  private static @Nullable SpecificRecord value(@Nullable Topic<?> topic, @Nullable Object json) {
    return topic == null || json == null
        ? null
        : (SpecificRecord) record(SpecificData.get().getSchema(topic.value()), json);
  }

  private static IndexedRecord record(Schema schema, Object json) {
    var record = (IndexedRecord) SpecificData.get().newRecord(null, schema);
    Map<String, @Nullable Object> members = Json.object(json);
    for (Schema.Field field : schema.getFields()) {
      Object value = members.get(field.name());
      record.put(field.pos(),
          value != null ? value(field.schema(), value) : SpecificData.get().getDefaultValue(field));
    }
    return record;
  }

  private static @Nullable Object value(Schema schema, @Nullable Object json) {
    if (json == null) {
      return null;
    }
    return switch (schema.getType()) {
      case UNION -> value(
          schema.getTypes().stream().filter(each -> each.getType() != Schema.Type.NULL).findFirst().orElseThrow(),
          json);
      case RECORD -> record(schema, json);
      case ARRAY ->
          new ArrayList<>(Json.list(json).stream().map(each -> value(schema.getElementType(), each)).toList());
      case MAP -> map(schema, json);
      case LONG -> schema.getLogicalType() == null ? Long.valueOf(json.toString()) : time(json.toString());
      case INT -> Integer.valueOf(json.toString());
      case DOUBLE -> Double.valueOf(json.toString());
      case BYTES -> ByteBuffer.allocate(0);
      default -> json;
    };
  }

  private static Map<String, @Nullable Object> map(Schema schema, Object json) {
    var map = new HashMap<String, @Nullable Object>();
    Json.object(json).forEach((name, value) -> map.put(name, value(schema.getValueType(), value)));
    return map;
  }

  private static Instant time(String text) {
    return text.contains("T") ? Instant.parse(text) : Instant.ofEpochMilli(Long.parseLong(text));
  }

  /** Returns an entry in the same form, to inspect an event log that broke a law. */
  static String line(EventLog.Entry entry) {
    String headers = entry.headers().entrySet().stream()
        .map(each -> "\"" + each.getKey() + "\": \"" + each.getValue() + "\"")
        .collect(Collectors.joining(", ", "{", "}"));
    return "{\"topic\": \"%s\", \"partition\": %d, \"offset\": %d, \"timestamp\": \"%s\", \"key\": \"%s\", "
        .formatted(entry.topic(), entry.partition(), entry.offset(), entry.timestamp(), entry.key())
        + "\"headers\": %s, \"value\": %s}".formatted(headers, entry.value());
  }

  static List<String> lines(String text) {
    return text.lines().filter(line -> !line.isBlank()).toList();
  }
}
