package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A JSON value. Its string is its JSON text, numbers digit for digit as sent. */
sealed interface JsonValue permits JsonValue.JsonText, JsonObject {
  /** The value at the parser's position. Members of objects are sorted by name: equal values have equal texts. */
  static JsonValue read(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case null -> throw new MalformedAnswerException("expected a value, found the end");
      case START_OBJECT -> object(in);
      case START_ARRAY -> array(in);
      case VALUE_STRING -> string(StrictJson.string(in));
      default -> new JsonText(in.getText());
    };
  }

  static JsonValue string(String value) {
    return new JsonText(quoted(value));
  }

  /** A string as JSON text. */
  static String quoted(String value) {
    return isPlain(value)
        ? '"' + value + '"'
        : '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(value)) + '"';
  }

  private static boolean isPlain(String value) {
    for (var index = 0; index < value.length(); index++) {
      var each = value.charAt(index);
      if (each < ' ' || each == '"' || each == '\\') {
        return false;
      }
    }
    return true;
  }

  static JsonValue list(List<? extends JsonValue> values) {
    var json = new StringBuilder("[");
    for (var value : values) {
      value.appendTo(json.length() == 1 ? json : json.append(','));
    }
    return new JsonText(json.append(']').toString());
  }

  /** Appends its JSON text. */
  void appendTo(StringBuilder json);

  private static JsonValue object(JsonParser in) throws IOException {
    var object = JsonObject.sorted();
    StrictJson.members(in, name -> object.put(name, read(in)));
    return object;
  }

  private static JsonValue array(JsonParser in) throws IOException {
    var values = new ArrayList<JsonValue>();
    StrictJson.elements(in, () -> values.add(read(in)));
    return list(values);
  }

  /** The content of a string, or the digits of a number; null of any other value. */
  default @Nullable String text() {
    try (JsonParser in = StrictJson.parser(toString())) {
      var token = in.nextToken();
      return token == JsonToken.VALUE_STRING || token.isNumeric() ? StrictJson.string(in) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Any JSON value as its text. */
  record JsonText(String json) implements JsonValue {
    static final JsonText NULL = new JsonText("null");

    /** The elements of an array; empty where this is another value. */
    List<JsonValue> elements() throws IOException {
      var elements = new ArrayList<JsonValue>();
      try (JsonParser in = StrictJson.parser(json)) {
        if (in.nextToken() == JsonToken.START_ARRAY) {
          StrictJson.elements(in, () -> elements.add(read(in)));
        }
      }
      return elements;
    }

    boolean isArray() {
      return json.startsWith("[");
    }

    /** The content of a JSON string; the JSON text of any other value. */
    String string() throws IOException {
      try (JsonParser in = StrictJson.parser(json)) {
        return in.nextToken() == JsonToken.VALUE_STRING ? in.getText() : json;
      }
    }

    @Override
    public void appendTo(StringBuilder text) {
      text.append(json);
    }

    @Override
    public String toString() {
      return json;
    }
  }
}
