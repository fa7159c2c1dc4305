package io.tidemark.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A converter of records to JSON. Fields have the names from the schema, nullable values are written without the name
 * of their type, times are milliseconds since 1970, and bytes are Base64. A record that cannot be decoded has a null
 * value and the member {@code unreadable}, with the reason and the details.
 */
public final class RecordJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private RecordJson() {}

  public static ObjectNode of(CommittedRecord record) {
    var json = JSON.objectNode()
        .put("topic", record.topic())
        .put("partition", record.partition())
        .put("offset", record.offset())
        .put("timestamp", record.timestamp())
        .put("key", record.key());
    var headers = json.putObject("headers");
    record.headers().forEach(headers::put);
    json.set("value", value(record.value()));
    if (record.unreadable() != null) {
      json.putObject("unreadable")
          .put("reason", record.unreadable().reason().wire())
          .put("detail", record.unreadable().detail());
    }
    return json;
  }

  public static JsonNode value(@Nullable Object value) {
    return switch (value) {
      case null -> JSON.nullNode();
      case IndexedRecord record -> record(record);
      case Map<?, ?> map -> map(map);
      case List<?> list -> JSON.arrayNode().addAll(list.stream().map(RecordJson::value).toList());
      case Instant at -> JSON.numberNode(at.toEpochMilli());
      case ByteBuffer bytes -> JSON.binaryNode(AvroRecords.bytes(bytes));
      case Boolean flag -> JSON.booleanNode(flag);
      case Integer number -> JSON.numberNode(number);
      case Long number -> JSON.numberNode(number);
      case Double number -> JSON.numberNode(number);
      default -> JSON.textNode(value.toString());
    };
  }

  private static JsonNode record(IndexedRecord record) {
    var json = JSON.objectNode();
    record.getSchema().getFields().forEach(field -> json.set(field.name(), value(record.get(field.pos()))));
    return json;
  }

  private static JsonNode map(Map<?, ?> map) {
    var json = JSON.objectNode();
    map.forEach((key, value) -> json.set(key.toString(), value(value)));
    return json;
  }
}
