package io.tidemark.eventlog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts, booleans and nulls; numbers keep the digits with which they were sent. */
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** A number with its digits as they were sent. */
  record Digits(String text) {
    BigDecimal value() {
      return new BigDecimal(text);
    }

    /** Numbers are equal if their values are, however they are written. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Digits digits && value().compareTo(digits.value()) == 0;
    }

    @Override
    public int hashCode() {
      return value().stripTrailingZeros().hashCode();
    }

    @Override
    public String toString() {
      return text;
    }
  }

  static @Nullable Object parse(byte[] text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      return value(parser);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the member at a dotted path; null if it is missing or null. */
  static @Nullable Object at(@Nullable Object json, String path) {
    Object at = json;
    for (String name : path.split("\\.")) {
      at = at instanceof Map<?, ?> object ? object.get(name) : null;
    }
    return at;
  }

  @SuppressWarnings("unchecked")
  static Map<String, @Nullable Object> object(@Nullable Object json) {
    return json instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
  }

  static List<?> list(@Nullable Object json) {
    return json instanceof List<?> list ? list : List.of();
  }

  static String text(@Nullable Object json) {
    return json == null ? "" : json.toString();
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> members(parser);
      case START_ARRAY -> elements(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Digits(parser.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static Map<String, @Nullable Object> members(JsonParser parser) throws IOException {
    var members = new LinkedHashMap<String, @Nullable Object>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members;
  }

  private static List<@Nullable Object> elements(JsonParser parser) throws IOException {
    var elements = new ArrayList<@Nullable Object>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }
}
