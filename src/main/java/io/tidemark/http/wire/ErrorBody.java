package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the service says instead of an answer. Its bodies have many shapes: an object {@code status}, the same within
 * {@code error}, a string {@code error}, a list {@code errors}.
 *
 * @param code the service's own code or a status, 0 where it gives none
 */
public record ErrorBody(int code, String message) {
  private static final Set<String> FIRST_MEMBERS = Set.of("status", "error", "errors");

  /** Looks at the first member only: no answer of the document begins like this. Null where it is no error. */
  public static @Nullable ErrorBody sniff(byte[] body) {
    try (JsonParser in = StrictJson.parser(new String(body, 0, Math.min(body.length, 200), StandardCharsets.UTF_8))) {
      boolean error = in.nextToken() == JsonToken.START_OBJECT
          && in.nextToken() == JsonToken.FIELD_NAME
          && FIRST_MEMBERS.contains(in.currentName());
      return error ? read(body) : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Null where the body has none of the shapes. */
  public static @Nullable ErrorBody read(byte[] body) {
    try {
      return StrictJson.read(body, JsonValue::read) instanceof JsonObject object ? read(object) : null;
    } catch (IOException e) {
      return null;
    }
  }

  private static @Nullable ErrorBody read(JsonObject body) throws IOException {
    if (body.at("status") instanceof JsonObject status) {
      return ofStatus(status);
    }
    if (body.at("error", "status") instanceof JsonObject status) {
      return ofStatus(status);
    }
    if (body.at("error") instanceof JsonValue.JsonText error) {
      return new ErrorBody(number(body.at("status")), error.string());
    }
    return body.at("errors") instanceof JsonValue.JsonText errors ? ofList(errors) : null;
  }

  private static ErrorBody ofStatus(JsonObject status) throws IOException {
    return new ErrorBody(number(status.at("error_code")), text(status.at("error_message")));
  }

  private static @Nullable ErrorBody ofList(JsonValue.JsonText errors) throws IOException {
    var all = new ArrayList<JsonValue>();
    try (JsonParser in = StrictJson.parser(errors.json())) {
      in.nextToken();
      StrictJson.elements(in, () -> all.add(JsonValue.read(in)));
    }
    return !all.isEmpty() && all.getFirst() instanceof JsonObject first
        ? new ErrorBody(number(first.at("status")), text(first.at("title")))
        : null;
  }

  private static int number(@Nullable JsonValue value) throws IOException {
    var text = text(value);
    return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
  }

  private static String text(@Nullable JsonValue value) throws IOException {
    return value instanceof JsonValue.JsonText text ? text.string() : "";
  }
}
