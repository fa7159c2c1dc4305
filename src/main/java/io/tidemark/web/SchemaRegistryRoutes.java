package io.tidemark.web;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.web.RequestBody.BodyTooLargeException;
import io.tidemark.web.SchemaRegistryView.RegistryResponse;
import java.util.Map;
import java.util.TreeMap;
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

  static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int MAX_BODY_BYTES = 1 << 20;

  private final SchemaRegistryView view;

  /** What a client asks for. */
  enum RegistryOperation {
    SUBJECTS("/registry/subjects", "All subjects", false) {
      @Override
      ObjectNode response() {
        return list("string");
      }
    },
    SCHEMA("/registry/schemas/ids/{id}", "The schema of an id", false) {
      @Override
      ObjectNode response() {
        return object(Map.of("schema", "string"));
      }
    },
    VERSIONS("/registry/subjects/{subject}/versions", "The versions of a subject", false) {
      @Override
      ObjectNode response() {
        return list("integer");
      }
    },
    VERSION("/registry/subjects/{subject}/versions/{version}", "A version of a subject, or `latest`", false),
    FIND_VERSION("/registry/subjects/{subject}", "Which version of a subject a schema is", true),
    REGISTER("/registry/subjects/{subject}/versions", "The id of a schema that is known; no other can be registered",
        true) {
      @Override
      ObjectNode response() {
        return object(Map.of("id", "integer"));
      }
    };

    private final String path;
    private final String summary;
    private final boolean hasBody;

    RegistryOperation(String path, String summary, boolean hasBody) {
      this.path = path;
      this.summary = summary;
      this.hasBody = hasBody;
    }

    String path() {
      return path;
    }

    String summary() {
      return summary;
    }

    /** Whether a request has a schema in its body. */
    boolean hasBody() {
      return hasBody;
    }

    /** The JSON Schema of that body. */
    ObjectNode request() {
      return object(Map.of("schema", "string"));
    }

    /** The JSON Schema of the answer. */
    ObjectNode response() {
      return object(Map.of("subject", "string", "version", "integer", "id", "integer", "schema", "string"));
    }

    private static ObjectNode list(String type) {
      var schema = JsonNodeFactory.instance.objectNode().put("type", "array");
      schema.putObject("items").put("type", type);
      return schema;
    }

    private static ObjectNode object(Map<String, String> types) {
      var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
      new TreeMap<>(types).forEach((name, type) -> {
        schema.withObjectProperty("properties").putObject(name).put("type", type);
        schema.withArray("required").add(name);
      });
      return schema;
    }
  }

  private interface Route extends BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {}

  public SchemaRegistryRoutes(BuiltInRegistry registry) {
    view = new SchemaRegistryView(registry);
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(RegistryOperation.SUBJECTS.path, get(request -> view.subjects()))
        .get(RegistryOperation.SCHEMA.path, get(request -> view.schema(parameter(request, "id"))))
        .get(RegistryOperation.VERSIONS.path, get(request -> view.versions(subject(request))))
        .get(RegistryOperation.VERSION.path,
            get(request -> view.version(subject(request), parameter(request, "version"))))
        .post(RegistryOperation.FIND_VERSION.path, post(view::findVersion))
        .post(RegistryOperation.REGISTER.path, post(view::register));
  }

  private static Route get(Function<HttpServerRequest, RegistryResponse> view) {
    return (request, response) -> send(response, view.apply(request));
  }

  /** @param view of a subject and the body of the request */
  private static Route post(BiFunction<String, String, RegistryResponse> view) {
    return (request, response) -> RequestBody.text(request, MAX_BODY_BYTES)
        .map(body -> view.apply(subject(request), body))
        .onErrorResume(BodyTooLargeException.class, e -> Mono.just(RegistryResponse.badSchema(e)))
        .flatMap(answer -> send(response, answer));
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
