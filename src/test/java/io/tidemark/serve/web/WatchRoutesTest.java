package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.CommandPublisher;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.web.CommandRoutes.CommandedSource;
import io.tidemark.serve.web.CommandRoutes.WatchedSource;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WatchRoutesTest {

  @ParameterizedTest
  @CsvSource({
    "/v1/watch/global, /global",
    "/v1/watch/networks/eth/pools/0x1?include=dex&pages=2&for=6h, /networks/eth/pools/0x1?include=dex",
    "/v1/watch/global?source=main&weight=2.5, /global",
    "/v1/watch/%2Fnetworks%2feth%2Fnew_pools?page=1, /networks/eth/new_pools?page=1",
    "/v1/watch/networks%2Feth%2Fpools%2F0x1, /networks/eth/pools/0x1"})
  void target_isThePathWithoutTheParametersOfTheRoute(String uri, String target) {
    assertThat(WatchRoutes.target(uri)).isEqualTo(target);
  }

  /** A Kafka that nobody reaches: no command is read. */
  @ParameterizedTest
  @CsvSource({"GET, /v1/watch", "PUT, /v1/watch/global", "DELETE, /v1/watch/global", "GET, /v1/rules",
    "PUT, /v1/rules/main"})
  void requestBeforeAllCommandsAreRead_isRefused_untilLater(String method, String path) throws Exception {
    var topics = new Topics("none.", Retention.DEFAULT);
    var registry = new BuiltInRegistry(topics.all());
    var client = Map.<String, Object>of("bootstrap.servers", "127.0.0.1:1");
    try (var status = new StatusReader("main", Set.of(), topics, registry, client)) {
      var source = new CommandedSource(status, new CommandPublisher(topics, registry, client), unused(), () -> {
        throw new AssertionError("rules are read before the commands");
      });
      var commands = new CommandRoutes(AccessControl.open(), List.of(source), InstantSource.system());
      try (var server = LocalServer.start(List.of(new WatchRoutes(commands), new RuleRoutes(commands, List.of())));
          var http = HttpClient.newHttpClient()) {
        var answer = http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, BodyPublishers.ofString("rules: []")).build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).isPresent();
        assertThat(answer.body()).contains("the commands of the source are still being read");
      }
    }
  }

  private static WatchedSource unused() {
    return (WatchedSource) Proxy.newProxyInstance(WatchedSource.class.getClassLoader(),
        new Class<?>[] {WatchedSource.class}, (proxy, method, arguments) -> {
          throw new AssertionError(method + " is called before the commands are read");
        });
  }
}
