package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A JSON value on its way from or to the wire; its string is its text, numbers digit for digit as sent. */
public sealed interface JsonValue permits JsonValue.JsonText, JsonObject {
  JsonText NULL = new JsonText("null");

  /** The value a parser stands on; members of objects sorted by name, so that equal values have equal texts. */
  static JsonValue read(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case null -> throw new MalformedAnswerException("a value is due, not the end");
      case START_OBJECT -> object(in);
      case START_ARRAY -> array(in);
      case VALUE_STRING -> string(StrictJson.string(in));
      default -> new JsonText(in.getText());
    };
  }

  static JsonValue string(String value) {
    return new JsonText('"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(value)) + '"');
  }

  static JsonValue list(List<? extends JsonValue> values) {
    return new JsonText(values.stream().map(JsonValue::toString).collect(Collectors.joining(",", "[", "]")));
  }

  private static JsonValue object(JsonParser in) throws IOException {
    var object = JsonObject.sorted();
    StrictJson.members(in, name -> object.put(name, read(in)));
    return object;
  }

  private static JsonValue array(JsonParser in) throws IOException {
    var values = new ArrayList<JsonValue>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      values.add(read(in));
    }
    return list(values);
  }

  /** Anything but an object that is to be put together. */
  record JsonText(String json) implements JsonValue {
    /** The text that a JSON string stands for; other kinds as they are sent. */
    String string() throws IOException {
      try (JsonParser in = StrictJson.parser(json)) {
        return in.nextToken() == JsonToken.VALUE_STRING ? in.getText() : json;
      }
    }

    @Override
    public String toString() {
      return json;
    }
  }

}
