package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.http.wire.JsonValue.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error response. The service has many shapes: an object {@code status}, the same within {@code error},
 * a string {@code error}, a list {@code errors}.
 *
 * @param code the service's own code or a status; 0 where it gives none
 */
public record ErrorBody(int code, String message) {
  private static final Set<String> FIRST_MEMBERS = Set.of("status", "error", "errors");
  private static final int SNIFFED_BYTES = 200;

  /** Reads a body that begins like an error, as no answer of the document does. Null where the body is an answer. */
  public static @Nullable ErrorBody sniff(byte[] body) {
    var start = new String(body, 0, Math.min(body.length, SNIFFED_BYTES), StandardCharsets.UTF_8);
    try (JsonParser in = StrictJson.parser(start)) {
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
    if (body.at("error") instanceof JsonText error) {
      return new ErrorBody(number(body.at("status")), error.string());
    }
    return body.at("errors") instanceof JsonText errors ? ofList(errors.elements()) : null;
  }

  private static ErrorBody ofStatus(JsonObject status) throws IOException {
    return new ErrorBody(number(status.at("error_code")), text(status.at("error_message")));
  }

  private static @Nullable ErrorBody ofList(List<JsonValue> errors) throws IOException {
    return !errors.isEmpty() && errors.getFirst() instanceof JsonObject first
        ? new ErrorBody(number(first.at("status")), text(first.at("title")))
        : null;
  }

  private static int number(@Nullable JsonValue value) throws IOException {
    var text = text(value);
    return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
  }

  private static String text(@Nullable JsonValue value) throws IOException {
    return value instanceof JsonText text ? text.string() : "";
  }

  /** An object {@code status}. */
  public byte[] asStatus() {
    return bytes(status());
  }

  /** An object {@code status} with a time in it. */
  public byte[] asStatus(Instant time) {
    var body = status();
    body.object("status").put("timestamp", JsonValue.string(time.toString()));
    return bytes(body);
  }

  /** An object {@code status} within {@code error}. */
  public byte[] asNestedStatus() {
    return bytes(JsonObject.ordered().put("error", status()));
  }

  /** A string {@code error}, the code beside it unless it is 0. */
  public byte[] asText() {
    var body = JsonObject.ordered();
    if (code != 0) {
      body.put("status", new JsonText(String.valueOf(code)));
    }
    return bytes(body.put("error", JsonValue.string(message)));
  }

  /** A list {@code errors}. */
  public byte[] asList(String reference) {
    var error = JsonObject.ordered()
        .put("status", JsonValue.string(String.valueOf(code)))
        .put("title", JsonValue.string(message));
    return bytes(JsonObject.ordered()
        .put("errors", JsonValue.list(List.of(error)))
        .put("meta", JsonObject.ordered().put("ref_id", JsonValue.string(reference))));
  }

  private JsonObject status() {
    return JsonObject.ordered().put("status", JsonObject.ordered()
        .put("error_code", new JsonText(String.valueOf(code)))
        .put("error_message", JsonValue.string(message)));
  }

  private static byte[] bytes(JsonObject body) {
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }
}
