package io.tidemark.web;

import static java.util.Objects.requireNonNull;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.tidemark.topic.BuiltInRegistry;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/** The built-in registry under {@code /registry}, for any client of a Confluent-compatible one; read-only. */
public final class RegistryRoutes implements Consumer<HttpServerRoutes> {

  private interface Answering extends BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {}

  private static final String TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int LONGEST_QUESTION = 1 << 20;

  private final RegistryView view;

  public RegistryRoutes(BuiltInRegistry registry) {
    view = new RegistryView(registry);
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get("/registry/subjects", answering(request -> view.subjects()))
        .get("/registry/schemas/ids/{id}", answering(request -> view.schema(param(request, "id"))))
        .get("/registry/subjects/{subject}/versions", answering(request -> view.versions(subject(request))))
        .get(
            "/registry/subjects/{subject}/versions/{version}",
            answering(request -> view.version(subject(request), param(request, "version"))))
        .post("/registry/subjects/{subject}", asking(view::findVersion))
        .post("/registry/subjects/{subject}/versions", asking(view::register));
  }

  private static Answering answering(Function<HttpServerRequest, RegistryResponse> answer) {
    return (request, response) -> send(response, answer.apply(request));
  }

  /** The question is the body of the request. */
  private static Answering asking(BiFunction<String, String, RegistryResponse> answer) {
    return (request, response) -> BoundedRequestBody.read(request, LONGEST_QUESTION)
        .map(question -> answer.apply(subject(request), question))
        .onErrorResume(BoundedRequestBody.TooLong.class, e -> Mono.just(RegistryResponse.badSchema(e)))
        .flatMap(said -> send(response, said));
  }

  private static Mono<Void> send(HttpServerResponse response, RegistryResponse answer) {
    return response
        .status(answer.status())
        .header(HttpHeaderNames.CONTENT_TYPE, TYPE)
        .sendString(Mono.just(answer.body().toString()))
        .then();
  }

  private static String subject(HttpServerRequest request) {
    return param(request, "subject");
  }

  private static String param(HttpServerRequest request, String name) {
    return requireNonNull(request.param(name), name);
  }
}
