package io.tidemark.cli.print;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.topic.CommittedRecord;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Converts records to JSON: fields by the names of their schema, plain nulls, times as milliseconds since 1970, bytes
 * in Base64. A record that cannot be decoded has a null value, and says why in {@code unreadable}.
 */
public final class RecordJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int LONGEST_TEXT = 2_000;

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

  /** The values of some names of the vocabulary of conditions. */
  public static ObjectNode fields(SpecificRecord record, Vocabulary vocabulary, List<String> names) {
    var json = JSON.objectNode();
    names.forEach(name -> json.set(name, value(vocabulary.value(name, record))));
    return json;
  }

  /** The same as text between tabs; times as ISO 8601, a missing value as nothing. */
  public static String texts(SpecificRecord record, Vocabulary vocabulary, List<String> names) {
    return names.stream()
        .map(name -> switch (vocabulary.value(name, record)) {
          case null -> "";
          case Number number -> new BigDecimal(number.toString()).toPlainString();
          case Instant at -> at.toString();
          case Map<?, ?> map -> value(map).toString();
          case List<?> list -> value(list).toString();
          case Object other -> TerminalText.text(other.toString(), LONGEST_TEXT);
        })
        .collect(Collectors.joining("\t"));
  }

  static JsonNode value(@Nullable Object value) {
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
