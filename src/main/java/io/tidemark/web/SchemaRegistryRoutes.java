package io.tidemark.web;

import static java.util.Objects.requireNonNull;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.web.SchemaRegistryView.RegistryResponse;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/** The built-in registry under {@code /registry}, for clients of a Confluent-compatible registry. Read-only. */
public final class SchemaRegistryRoutes implements Consumer<HttpServerRoutes> {

  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int MAX_BODY_BYTES = 1 << 20;

  private final SchemaRegistryView view;

  private interface Route extends BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {}

  private static final class BodyTooLargeException extends RuntimeException {
    BodyTooLargeException() {
      super("a body of more than " + MAX_BODY_BYTES + " bytes", null, false, false);
    }
  }

  public SchemaRegistryRoutes(BuiltInRegistry registry) {
    view = new SchemaRegistryView(registry);
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get("/registry/subjects", get(request -> view.subjects()))
        .get("/registry/schemas/ids/{id}", get(request -> view.schema(parameter(request, "id"))))
        .get("/registry/subjects/{subject}/versions", get(request -> view.versions(subject(request))))
        .get("/registry/subjects/{subject}/versions/{version}",
            get(request -> view.version(subject(request), parameter(request, "version"))))
        .post("/registry/subjects/{subject}", post(view::findVersion))
        .post("/registry/subjects/{subject}/versions", post(view::register));
  }

  private static Route get(Function<HttpServerRequest, RegistryResponse> view) {
    return (request, response) -> send(response, view.apply(request));
  }

  /** @param view of a subject and the body of the request */
  private static Route post(BiFunction<String, String, RegistryResponse> view) {
    return (request, response) -> body(request)
        .map(body -> view.apply(subject(request), body))
        .onErrorResume(BodyTooLargeException.class, e -> Mono.just(RegistryResponse.badSchema(e)))
        .flatMap(answer -> send(response, answer));
  }

  private static Mono<String> body(HttpServerRequest request) {
    return request.receive()
        .asByteArray()
        .reduceWith(ByteArrayOutputStream::new, SchemaRegistryRoutes::append)
        .map(body -> body.toString(StandardCharsets.UTF_8));
  }

  private static ByteArrayOutputStream append(ByteArrayOutputStream body, byte[] part) {
    if (body.size() + part.length > MAX_BODY_BYTES) {
      throw new BodyTooLargeException();
    }
    body.writeBytes(part);
    return body;
  }

  private static Mono<Void> send(HttpServerResponse response, RegistryResponse answer) {
    return response
        .status(answer.status())
        .header(HttpHeaderNames.CONTENT_TYPE, MEDIA_TYPE)
        .sendString(Mono.just(answer.body().toString()))
        .then();
  }

  private static String subject(HttpServerRequest request) {
    return parameter(request, "subject");
  }

  private static String parameter(HttpServerRequest request, String name) {
    return requireNonNull(request.param(name), name);
  }
}
