package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * {@code GET /v1/status}: each source with its budget and the staleness of its targets, and the health of this process,
 * as JSON.
 *
 * @param sources readers of the status of each source, in the order of the configuration
 */
public record StatusRoutes(List<StatusReader> sources, Supplier<Health> health, InstantSource clock)
    implements Consumer<HttpServerRoutes> {

  static final String PATH = "/v1/status";

  public StatusRoutes {
    sources = List.copyOf(sources);
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes.get(PATH, (request, response) -> Mono.fromSupplier(() -> json(content()))
        .subscribeOn(Schedulers.boundedElastic())
        .flatMap(text -> AccessControl.send(response, 200, JsonBody.MEDIA_TYPE, text)));
  }

  /** Returns the status without the current time. */
  ObjectNode content() {
    var content = JsonNodeFactory.instance.objectNode();
    var list = content.putArray("sources");
    sources.forEach(source -> list.add(source.json()));
    return content.putRawValue("health", new RawValue(health.get().json()));
  }

  /** Returns the response, which is the current time followed by the given status. */
  String json(ObjectNode content) {
    return JsonNodeFactory.instance.objectNode().put("now", clock.millis()).<ObjectNode>setAll(content).toString();
  }
}
