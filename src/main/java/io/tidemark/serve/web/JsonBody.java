package io.tidemark.serve.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.tidemark.serve.feed.FeedRefusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A converter between JSON bodies and records. The names of a record's components are written in snake case in JSON.
 */
final class JsonBody {

  static final String MEDIA_TYPE = "application/json";

  /** A mapper that rejects a number or boolean in place of a text, instead of converting it to text. */
  private static final JsonMapper JSON = JsonMapper.builder()
      .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
      .withCoercionConfig(LogicalType.Textual, config -> config
          .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
          .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
          .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
      .addModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
      .build();

  private JsonBody() {}

  /**
   * Reads the body of a request as a record. Fails with a {@link FeedRefusal} of status 413 if the body has more
   * than {@code mostBytes} bytes, or of status 400 if the body does not match the record. Messages repeat no values
   * from the body, but may repeat names.
   */
  static <T> Mono<T> read(HttpServerRequest request, Class<T> type, int mostBytes) {
    return bytes(request, mostBytes).map(body -> parse(body, type));
  }

  /**
   * Reads the body of a request. Fails with a {@link FeedRefusal} of status 413 if the body has more than
   * {@code mostBytes} bytes.
   */
  static Mono<byte[]> bytes(HttpServerRequest request, int mostBytes) {
    return request.receive()
        .asByteArray()
        .reduceWith(ByteArrayOutputStream::new, (body, part) -> append(body, part, mostBytes))
        .defaultIfEmpty(new ByteArrayOutputStream())
        .map(ByteArrayOutputStream::toByteArray);
  }

  private static ByteArrayOutputStream append(ByteArrayOutputStream body, byte[] part, int most) {
    if (body.size() + part.length > most) {
      throw FeedRefusal.of(413, "the body has more than " + most + " bytes");
    }
    body.writeBytes(part);
    return body;
  }

  private static <T> T parse(byte[] body, Class<T> type) {
    try {
      var value = body.length == 0 ? null : JSON.readValue(body, type);
      if (value == null) {
        throw FeedRefusal.badRequest("expected a JSON object");
      }
      return value;
    } catch (UnrecognizedPropertyException e) {
      throw FeedRefusal.badRequest("the body may have the fields " + fields(type) + ", and no other");
    } catch (ValueInstantiationException e) {
      throw FeedRefusal.badRequest(String.valueOf(e.getCause() == null ? null : e.getCause().getMessage()));
    } catch (JsonMappingException e) {
      throw FeedRefusal.badRequest(e.getPath().isEmpty()
          ? "expected a JSON object"
          : e.getPath().getLast().getFieldName() + ": must be a text");
    } catch (IOException e) {
      throw FeedRefusal.badRequest("expected a JSON object");
    }
  }

  /** Returns the names of the fields of a record, in order. */
  private static String fields(Class<?> type) {
    return Arrays.stream(type.getRecordComponents()).map(component -> {
      var named = component.getAccessor().getAnnotation(JsonProperty.class);
      return named == null ? component.getName() : named.value();
    }).collect(Collectors.joining(", "));
  }

  /** Returns the JSON of a record, a list or a text. */
  static String write(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an object of texts and numbers could not be written as JSON", e);
    }
  }

  /**
   * Returns whether the content type is JSON. HTML forms cannot send JSON, and scripts of other origins need a
   * preflight request to send it.
   */
  static boolean isJson(HttpServerRequest request) {
    var type = request.requestHeaders().get(HttpHeaderNames.CONTENT_TYPE, "");
    return type.split(";", 2)[0].strip().equalsIgnoreCase(MEDIA_TYPE);
  }
}
