package io.tidemark.serve.web;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.feed.FeedRefusal;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * Routes of the built-in registry under {@code /registry}, which has a part of Confluent's REST interface and is
 * read-only. The versions of each subject begin at 1.
 */
public record SchemaRegistryRoutes(BuiltInRegistry registry) implements Consumer<HttpServerRoutes> {

  static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int MAX_BODY_BYTES = 1 << 20;

  private interface Route extends BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {}

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record SchemaText(@Nullable String schema) {}

  private record SubjectVersion(String subject, int version, int id, String schema) {}

  private record RegistryError(int errorCode, String message) {}

  private record RegistryAnswer(int status, Object body) {

    static RegistryAnswer of(Object body) {
      return new RegistryAnswer(200, body);
    }

    static RegistryAnswer error(int status, int code, String message) {
      return new RegistryAnswer(status, new RegistryError(code, message));
    }

    static RegistryAnswer unknownSubject(String subject) {
      return error(404, 40401, "Subject '" + subject + "' not found.");
    }

    static RegistryAnswer unknownSchema(String id) {
      return error(404, 40403, "Schema " + id + " not found.");
    }
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get("/registry/subjects", get(request -> RegistryAnswer.of(registry.subjects())))
        .get("/registry/schemas/ids/{id}", get(request -> schema(parameter(request, "id"))))
        .get("/registry/subjects/{subject}/versions", get(request -> versions(subject(request))))
        .get("/registry/subjects/{subject}/versions/{version}",
            get(request -> version(subject(request), parameter(request, "version"))))
        .post("/registry/subjects/{subject}", post(this::findVersion))
        .post("/registry/subjects/{subject}/versions", post(this::register));
  }

  private static Route get(Function<HttpServerRequest, RegistryAnswer> answer) {
    return (request, response) -> send(response, answer.apply(request));
  }

  /** @param answer returns the response for the subject in the path and the schema in the body */
  private static Route post(BiFunction<String, Schema, RegistryAnswer> answer) {
    return (request, response) -> JsonBody.read(request, SchemaText.class, MAX_BODY_BYTES)
        .map(body -> answer.apply(subject(request),
            new Schema.Parser().parse(body.schema() == null ? "" : body.schema())))
        .onErrorResume(e -> e instanceof FeedRefusal || e instanceof AvroRuntimeException,
            e -> Mono.just(RegistryAnswer.error(422, 42201, "Invalid schema: " + e.getMessage())))
        .flatMap(found -> send(response, found));
  }

  private static Mono<Void> send(HttpServerResponse response, RegistryAnswer answer) {
    return response
        .status(answer.status())
        .header(HttpHeaderNames.CONTENT_TYPE, MEDIA_TYPE)
        .sendString(Mono.just(JsonBody.write(answer.body())))
        .then();
  }

  private static String subject(HttpServerRequest request) {
    return parameter(request, "subject");
  }

  private static String parameter(HttpServerRequest request, String name) {
    return requireNonNull(request.param(name), name);
  }

  private RegistryAnswer schema(String id) {
    var number = id.matches("\\d{1,10}") ? Long.parseLong(id) : Long.MAX_VALUE;
    var schema = number <= Integer.MAX_VALUE ? registry.find((int) number) : null;
    return schema == null
        ? RegistryAnswer.unknownSchema(id)
        : RegistryAnswer.of(new SchemaText(schema.toString()));
  }

  private RegistryAnswer versions(String subject) {
    var count = registry.versions(subject).size();
    return count == 0
        ? RegistryAnswer.unknownSubject(subject)
        : RegistryAnswer.of(IntStream.rangeClosed(1, count).toArray());
  }

  private RegistryAnswer version(String subject, String version) {
    var count = registry.versions(subject).size();
    if (count == 0) {
      return RegistryAnswer.unknownSubject(subject);
    }
    if (!version.matches("latest|-1|[1-9]\\d{0,8}")) {
      return RegistryAnswer.error(422, 42202,
          "The specified version '" + version + "' is not a valid version id; use 1 or higher, or \"latest\".");
    }
    var number = version.matches("latest|-1") ? count : Integer.parseInt(version);
    return number > count
        ? RegistryAnswer.error(404, 40402, "Version " + version + " not found.")
        : RegistryAnswer.of(describe(subject, number));
  }

  private RegistryAnswer findVersion(String subject, Schema schema) {
    if (registry.versions(subject).isEmpty()) {
      return RegistryAnswer.unknownSubject(subject);
    }
    var number = number(subject, schema);
    return number == 0 ? RegistryAnswer.unknownSchema("") : RegistryAnswer.of(describe(subject, number));
  }

  /** Accepts a schema that the subject already has. No other schema can be registered. */
  private RegistryAnswer register(String subject, Schema schema) {
    return number(subject, schema) == 0
        ? RegistryAnswer.error(422, 42205,
            "Subject " + subject + " is in read-only mode: it has only the schemas of this version of Tidemark.")
        : RegistryAnswer.of(Map.of("id", BuiltInRegistry.idOf(schema)));
  }

  /** Returns the version of a schema, or 0 if the subject does not have the schema. */
  private int number(String subject, Schema schema) {
    return 1 + registry.versions(subject).stream().map(BuiltInRegistry::idOf).toList()
        .indexOf(BuiltInRegistry.idOf(schema));
  }

  private SubjectVersion describe(String subject, int number) {
    var schema = registry.versions(subject).get(number - 1);
    return new SubjectVersion(subject, number, BuiltInRegistry.idOf(schema), schema.toString());
  }
}
