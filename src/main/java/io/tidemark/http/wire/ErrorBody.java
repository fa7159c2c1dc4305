package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error response. The service uses several shapes: an object {@code status}, an object {@code status}
 * within {@code error}, a string {@code error}, or a list {@code errors}.
 *
 * @param code the service's own error code or an HTTP status; 0 if the body has neither
 */
public record ErrorBody(int code, String message) {
  private static final Set<String> FIRST_MEMBERS = Set.of("status", "error", "errors");
  private static final int SNIFFED_BYTES = 200;

  /**
   * Reads the error in a body. Returns null if the body does not begin like an error. No documented answer begins like
   * an error.
   */
  public static @Nullable ErrorBody sniff(byte[] body) {
    var start = new String(body, 0, Math.min(body.length, SNIFFED_BYTES), StandardCharsets.UTF_8);
    try (JsonParser in = Json.parser(start)) {
      boolean error = in.nextToken() == JsonToken.START_OBJECT
          && in.nextToken() == JsonToken.FIELD_NAME
          && FIRST_MEMBERS.contains(in.currentName());
      return error ? read(body) : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Reads the body of an error response. Returns null if the body has none of the known shapes. */
  public static @Nullable ErrorBody read(byte[] body) {
    try {
      return read(Json.read(body, name -> true));
    } catch (MalformedAnswerException e) {
      return null;
    }
  }

  private static @Nullable ErrorBody read(JsonNode body) {
    var status = body.path("status").isObject() ? body.path("status") : body.at("/error/status");
    if (status.isObject()) {
      return new ErrorBody(number(status.path("error_code")), text(status.path("error_message")));
    }
    var error = body.path("error");
    if (!error.isMissingNode() && !error.isObject()) {
      return new ErrorBody(number(body.path("status")), text(error));
    }
    var first = body.path("errors").path(0);
    return first.isObject() ? new ErrorBody(number(first.path("status")), text(first.path("title"))) : null;
  }

  private static int number(JsonNode value) {
    var text = text(value);
    return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
  }

  /**
   * Returns the content of a string, the JSON text of another value, or an empty text for an object or a missing value.
   */
  private static String text(JsonNode value) {
    return value.isTextual() ? value.asText() : value.isObject() ? "" : value.toString();
  }

  /** Encodes the error as an object {@code status}. */
  public byte[] asStatus() {
    return asStatus(null, null);
  }

  /** Encodes the error as an object {@code status} with a timestamp. */
  public byte[] asStatus(Instant time) {
    return asStatus(null, time);
  }

  /** Encodes the error as an object {@code status} within {@code error}. */
  public byte[] asNestedStatus() {
    return asStatus("error", null);
  }

  private byte[] asStatus(@Nullable String parent, @Nullable Instant time) {
    var body = Json.object();
    var status = (parent == null ? body : body.putObject(parent)).putObject("status")
        .put("error_code", code).put("error_message", message);
    if (time != null) {
      status.put("timestamp", time.toString());
    }
    return Json.bytes(body);
  }

  /** Encodes the error as a string {@code error}, with the code in the member {@code status} unless the code is 0. */
  public byte[] asText() {
    var body = Json.object();
    if (code != 0) {
      body.put("status", code);
    }
    return Json.bytes(body.put("error", message));
  }

  /** Encodes the error as a list {@code errors}. */
  public byte[] asList(String reference) {
    var body = Json.object();
    body.putArray("errors").addObject().put("status", String.valueOf(code)).put("title", message);
    body.putObject("meta").put("ref_id", reference);
    return Json.bytes(body);
  }
}
