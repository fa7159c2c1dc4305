package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Functions that read and write JSON as Jackson trees. Reading is strict and bounded: UTF-8 only, no duplicate names,
 * no content after the end. Numbers are read as {@link NumberText}, which keeps their digits as sent.
 */
final class Json {
  /** Name of the member of an answer that contains the requested data. */
  static final String DATA = "data";

  private static final int MAX_DEPTH = 64;
  private static final int MAX_NUMBER_LENGTH = 2_000;
  private static final int MAX_STRING_LENGTH = 1 << 20;
  private static final int MAX_NAME_LENGTH = 1_000;

  private static final JsonMapper MAPPER = new JsonMapper(JsonFactory.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .streamReadConstraints(StreamReadConstraints.builder()
          .maxNestingDepth(MAX_DEPTH)
          .maxNumberLength(MAX_NUMBER_LENGTH)
          .maxStringLength(MAX_STRING_LENGTH)
          .maxNameLength(MAX_NAME_LENGTH)
          .build())
      .build());
  private static final ObjectWriter SORTED = MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private Json() {}

  static ObjectNode object() {
    return NODES.objectNode();
  }

  /** Creates a parser that applies the bounds of this class. */
  static JsonParser parser(String text) throws IOException {
    return MAPPER.createParser(text);
  }

  /**
   * Reads a whole body. Returns a missing node if the body is empty.
   *
   * @param reads tests whether the member with a given name is read from the outermost object; other members are
   *     skipped
   * @throws MalformedAnswerException if the body is not valid JSON; the message gives the reason and the place
   */
  static JsonNode read(byte[] body, Predicate<String> reads) {
    var text = decoded(body);
    try (JsonParser in = MAPPER.createParser(text.array(), text.arrayOffset(), text.limit())) {
      try {
        return readWhole(in, reads);
      } catch (JsonProcessingException e) {
        throw new MalformedAnswerException("%s (at %s, character %d)".formatted(e.getOriginalMessage(),
            in.getParsingContext().pathAsPointer(), in.currentLocation().getCharOffset()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a text. Returns a missing node if the text is not JSON. */
  static JsonNode parse(String text) {
    try (JsonParser in = parser(text)) {
      return readWhole(in, name -> true);
    } catch (IOException | MalformedAnswerException e) {
      return MissingNode.getInstance();
    }
  }

  private static CharBuffer decoded(byte[] body) {
    var in = ByteBuffer.wrap(body);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(in);
    } catch (CharacterCodingException e) {
      throw new MalformedAnswerException("not UTF-8 (at byte " + in.position() + ")");
    }
  }

  private static JsonNode readWhole(JsonParser in, Predicate<String> reads) throws IOException {
    var first = in.nextToken();
    if (first == null) {
      return MissingNode.getInstance();
    }
    var tree = first == JsonToken.START_OBJECT ? readObject(in, reads) : readValue(in);
    if (in.nextToken() != null) {
      throw new MalformedAnswerException("unexpected content after the end of the answer");
    }
    return tree;
  }

  private static ObjectNode readObject(JsonParser in, Predicate<String> reads) throws IOException {
    var object = object();
    for (var name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      if (reads.test(name)) {
        object.set(wellFormed(name), readValue(in));
      } else {
        in.skipChildren();
      }
    }
    return object;
  }

  private static JsonNode readValue(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case START_OBJECT -> readObject(in, name -> true);
      case START_ARRAY -> {
        var array = NODES.arrayNode();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          array.add(readValue(in));
        }
        yield array;
      }
      case VALUE_STRING -> NODES.textNode(wellFormed(in.getText()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new NumberText(in.getText());
      case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(in.getBooleanValue());
      default -> NODES.nullNode();
    };
  }

  /** Replaces each unpaired surrogate with a question mark, as encoding the text in UTF-8 does. */
  private static String wellFormed(String text) {
    return text.chars().anyMatch(each -> Character.isSurrogate((char) each))
        ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
        : text;
  }

  static byte[] bytes(JsonNode node) {
    return text(MAPPER.writer(), node).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the JSON text of a value. Members are sorted by name, so that equal values have equal texts. */
  static String text(JsonNode node) {
    return text(SORTED, node);
  }

  private static String text(ObjectWriter writer, JsonNode node) {
    try {
      return writer.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the content of a string or the digits of a number, or null for any other value. */
  static @Nullable String content(@Nullable JsonNode node) {
    return node != null && (node.isTextual() || node.isNumber()) ? node.asText() : null;
  }

  /** Returns a JSON string, or a JSON null if the text is null. */
  static JsonNode string(@Nullable String text) {
    return text == null ? NODES.nullNode() : NODES.textNode(text);
  }

  /** @throws MalformedAnswerException if the value is not an object */
  static ObjectNode object(JsonNode value) {
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw expected("an object", value);
  }

  /** Removes a required member from an object and reads it. */
  static <T> T take(JsonNode object, String name, Function<JsonNode, T> reader) {
    var value = object(object).remove(name);
    if (value == null) {
      throw new MalformedAnswerException("the member " + name + " is missing");
    }
    return within(name, value, reader);
  }

  /**
   * Removes a list, which may be an array or an object, from an object and reads it. Returns null if the member is
   * missing, null, or neither an array nor an object. In the last case, the value stays in the object.
   */
  static <T> @Nullable T takeList(JsonNode object, String name, Function<JsonNode, T> reader) {
    var value = object(object).path(name);
    if (value.isContainerNode() || value.isNull()) {
      object(object).remove(name);
    }
    return value.isContainerNode() ? within(name, value, reader) : null;
  }

  static <T> List<T> elements(JsonNode array, Function<JsonNode, T> reader) {
    if (!array.isArray()) {
      throw expected("an array", array);
    }
    var elements = new ArrayList<T>(array.size());
    for (var element : array) {
      elements.add(within(elements.size(), element, reader));
    }
    return elements;
  }

  private static <T> T within(Object place, JsonNode value, Function<JsonNode, T> reader) {
    try {
      return reader.apply(value);
    } catch (MalformedAnswerException e) {
      throw e.within(place);
    }
  }

  private static MalformedAnswerException expected(String what, JsonNode found) {
    return new MalformedAnswerException(
        "expected %s, found %s".formatted(what, found.isMissingNode() ? "the end" : found.asToken()));
  }

  /**
   * Adds all members of another object to an object, recursively. An existing value is kept unless it is null or
   * contains only nulls.
   *
   * @param object the object that is changed and returned
   */
  static ObjectNode fill(ObjectNode object, JsonNode other) {
    other.properties().forEach(member -> {
      var existing = object.get(member.getKey());
      if (existing instanceof ObjectNode known && member.getValue().isObject()) {
        fill(known, member.getValue());
      } else if (existing == null || isNullOnly(existing)) {
        object.set(member.getKey(), member.getValue());
      }
    });
    return object;
  }

  private static boolean isNullOnly(JsonNode value) {
    return value.isNull() || (value.isObject() && value.valueStream().allMatch(Json::isNullOnly));
  }
}
