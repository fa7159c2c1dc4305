package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.web.DocumentedAnswers;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.ResponseJournal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each path of the OpenAPI document of a running instance answers as it says. */
class ApiDocumentsIT {

  static final Duration TIMEOUT = Duration.ofMinutes(2);
  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web:
        port: 0
        keys: [ { name: ops, hash: "${HASH}", rights: [ configure ] } ]
        anonymous: read
      receivers: [ { name: chat, format: slack, url: "${CHAT}" } ]
      management: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          watch: { global: {} }
      """;

  static final String KEY = AccessKeys.generate();
  static final Set<String> METHODS = Set.of("get", "post", "put", "delete");

  @TempDir
  Path streams;

  final HttpClient http = HttpClient.newHttpClient();
  final Map<String, Integer> statuses = new TreeMap<>();

  @Test
  void everyPath_answersAsDocumented() throws Exception {
    var prefix = SharedBroker.freshPrefix();
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    try (var running = new RunningComponents();
        var market = SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, "", world,
            operation -> Duration.ofSeconds(1), ResponseJournal.none())) {
      var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", prefix, "HASH",
          AccessKeys.hash(KEY), "MARKET", market.baseUrl().toString(),
          "CHAT", "https://example.org/secret");
      var wiring = new Application(Settings.parse("test.yaml", CONFIG, environment::get), streams, running);
      wiring.start(EnumSet.of(Role.POLL, Role.WEB));
      var root = "http://127.0.0.1:" + wiring.webPort();
      await().atMost(TIMEOUT).until(() -> get(root + "/api/v3/global").statusCode() == 200);
      var documented = new DocumentedAnswers(get(root + "/openapi.json").body());
      var values = Map.of("topic", "target.state", "subject", prefix + "pool.changes-value", "version", "latest",
          "id", id(documented, root, prefix), "target", "networks/eth/new_pools");

      for (var path : documented.document().path("paths").properties()) {
        var server = path.getValue().at("/servers/0/url").asText();
        var address = (server.startsWith("http") ? server : root) + filled(path.getKey(), values);
        for (var method : path.getValue().properties()) {
          if (METHODS.contains(method.getKey())) { // a path also has servers, and parameters of all its methods
            check(documented, path.getKey(), method.getKey(), address);
          }
        }
      }
      assertThat(get(root + "/sources/main/v1/feeds").body()).isEqualTo(get(root + "/v1/feeds").body());
      assertThat(documented.document().path("paths")).hasSizeGreaterThan(20);
      assertThat(statuses).contains(Map.entry("post /v1/login", 200), Map.entry("get /v1/me", 200),
          Map.entry("post /v1/logout", 204), Map.entry("get /v1/silences", 200), Map.entry("post /v1/silences", 201),
          Map.entry("delete /v1/silences/{id}", 404));
      assertThat(statuses.get("put /v1/rules/{file}")).isIn(200, 202);
      assertThat(statuses.get("put /v1/watch/{target}")).isIn(200, 202);
      assertThat(get(root + "/v1/receivers").body()).contains("chat").doesNotContain("secret");
    }
  }

  private String id(DocumentedAnswers documented, String root, String prefix) throws Exception {
    var path = "/registry/subjects/{subject}/versions/{version}";
    var response = get(root + "/registry/subjects/" + prefix + "pool.changes-value/versions/latest");
    documented.check(path, "get", response, response.body());
    return response.body().replaceAll(".*\"id\":(\\d+).*", "$1");
  }

  private static String filled(String path, Map<String, String> values) {
    var filled = path;
    for (var value : values.entrySet()) {
      filled = filled.replace("{" + value.getKey() + "}", value.getValue());
    }
    return filled.replaceAll("\\{[a-z_]+}", "nobody");
  }

  private void check(DocumentedAnswers documented, String path, String method, String address) throws Exception {
    if (path.startsWith("/v1/feeds/")) {
      var feed = http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofInputStream());
      try (var events = feed.body()) { // it does not end by itself
        documented.check(path, method, feed, new String(events.readNBytes(4), StandardCharsets.UTF_8));
      }
    } else {
      var body = switch (path) {
        case "/v1/login" -> "{\"key\":\"" + KEY + "\"}";
        case "/v1/silences" ->
            documented.document().at("/paths/~1v1~1silences/post/requestBody/content/application~1json")
                .path("example").toString();
        case "/v1/rules/{file}" -> documented.document()
            .at("/paths/~1v1~1rules~1{file}/put/requestBody/content/application~1yaml/example").asText();
        default -> "{\"schema\":\"{\\\"type\\\":\\\"string\\\"}\"}";
      };
      var response = http.send(HttpRequest.newBuilder(URI.create(address)).header("Authorization", "Bearer " + KEY)
          .header("Content-Type", "application/json")
          .method(method.toUpperCase(Locale.ROOT),
              method.startsWith("p") ? BodyPublishers.ofString(body) : BodyPublishers.noBody())
          .build(), BodyHandlers.ofString());
      documented.check(path, method, response, response.body());
      statuses.put(method + " " + path, response.statusCode());
      if (path.equals("/v1/rules/{file}") && method.equals("put")) {
        var rules = address.substring(0, address.lastIndexOf('/'));
        await().atMost(TIMEOUT).until(() -> get(rules).body().contains("\"moved\""));
      }
    }
  }

  private HttpResponse<String> get(String address) throws Exception {
    return http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
  }
}
