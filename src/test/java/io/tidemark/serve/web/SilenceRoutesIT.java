package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.Watch;
import io.tidemark.kafka.CommandPublisher;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.serve.access.AccessSettings;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import io.tidemark.serve.web.CommandRoutes.CommandedSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Silences over HTTP, as commands in a real Kafka. */
@Timeout(240)
class SilenceRoutesIT {

  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final BuiltInRegistry REGISTRY = new BuiltInRegistry(List.of());
  static final HttpClient HTTP = HttpClient.newHttpClient();
  static final ObjectMapper JSON = new ObjectMapper();
  static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  static final String READER = AccessKeys.generate();
  static final String WRITER = AccessKeys.generate();
  static final AccessSettings KEYS = new AccessSettings(List.of(
      new AccessKey("ann", AccessKeys.hash(READER), Set.of(AccessRight.READ), 100),
      new AccessKey("ops", AccessKeys.hash(WRITER), Set.of(AccessRight.WRITE), 100)), AnonymousAccess.NONE, null);
  static final String VALID = "{\"rule\":\"new-pool\",\"subject\":\"eth_0x1\",\"for\":\"6h\",\"comment\":\"known\"}";

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  StatusReader status;
  WebServer server;

  @BeforeEach
  void start() {
    AvroSettings.apply();
    try (var admin = Admin.create(CLIENT)) {
      new TopicSetup(admin, new TopicLayout(2, (short) 1))
          .ensure(List.of(topics.sourceState(), topics.targetState(), topics.watch()));
    }
    status = new StatusReader("main", Set.of(), topics, REGISTRY, CLIENT);
    await().until(status::isCaughtUp);
    var access = new AccessControl(KEYS, InstantSource.fixed(NOW));
    var source = new CommandedSource(status, new CommandPublisher(topics, REGISTRY, CLIENT), null, () -> RuleSet.EMPTY);
    var commands = new CommandRoutes(access, List.of(source), InstantSource.fixed(NOW));
    server = WebServer.start(LocalServer.ADDRESS, List.of(
        new LoginRoutes(access), new SilenceRoutes(commands)), access,
        LocalServer.UNHEARD);
  }

  @AfterEach
  void stop() {
    server.close();
    status.close();
  }

  @Test
  void silence_isACommandWithTheNameOfItsKey_untilItIsEnded() throws Exception {
    var made = post(VALID, "Authorization", "Bearer " + WRITER);

    assertThat(made.statusCode()).isEqualTo(201);
    var id = json(made).path("id").asText();
    assertThat(json(made)).hasToString("{\"id\":\"" + id + "\",\"rule\":\"new-pool\",\"subject\":\"eth_0x1\","
        + "\"labels\":{},\"from\":\"2026-03-10T12:00:00Z\",\"until\":\"2026-03-10T18:00:00Z\",\"who\":\"ops\","
        + "\"comment\":\"known\"}");
    assertThat(commands()).singleElement().satisfies(command -> {
      assertThat(command.getKind()).isEqualTo(RuleAnnouncements.SILENCE);
      assertThat(command.getWho()).isEqualTo("ops");
      assertThat(command.getAt()).isEqualTo(NOW);
    });
    assertThat(announced()).contains(id, "ops", "known");
    assertThat(json(get("/v1/silences"))).as("at once").singleElement().isEqualTo(json(made));

    var ended = send("DELETE", "/v1/silences/" + id, "", "Authorization", "Bearer " + WRITER);

    assertThat(ended.statusCode()).isEqualTo(200);
    assertThat(announced()).doesNotContain(id);
    await().untilAsserted(() -> assertThat(json(get("/v1/silences"))).isEmpty());
    assertThat(send("DELETE", "/v1/silences/" + id, "", "Authorization", "Bearer " + WRITER).statusCode())
        .isEqualTo(404);
  }

  @Test
  void silenceOfThePage_isTakenFromThePageOnly() throws Exception {
    var login = send("POST", "/v1/login", "{\"key\":\"" + WRITER + "\"}", "Content-Type", "application/json");
    var cookie = login.headers().firstValue("set-cookie").orElseThrow().split(";", 2)[0];

    assertThat(post(VALID, "Cookie", cookie, "Origin", "https://evil.example").statusCode()).isEqualTo(403);
    assertThat(post(VALID, "Cookie", cookie).statusCode()).isEqualTo(403);
    assertThat(send("POST", "/v1/silences", VALID, "Cookie", cookie, "Sec-Fetch-Site", "same-origin", "Content-Type",
        "text/plain").statusCode()).isEqualTo(415);
    assertThat(post(VALID).statusCode()).isEqualTo(401);
    assertThat(post(VALID, "Authorization", "Bearer " + READER).statusCode()).isEqualTo(403);
    assertThat(commands()).isEmpty();

    assertThat(post(VALID, "Cookie", cookie, "Origin", "http://127.0.0.1:" + server.port()).statusCode())
        .isEqualTo(201);
    assertThat(commands()).hasSize(1);
  }

  @Test
  void wrongSilences_areRefusedWithTheReason() throws Exception {
    for (var wrong : Map.ofEntries(
        Map.entry("", "expected a JSON object"),
        Map.entry("[1]", "expected a JSON object"),
        Map.entry("{", "expected a JSON object"),
        Map.entry("{}", "a silence needs a rule, a subject or a label"),
        Map.entry("{\"rule\":1}", "rule: must be a text"),
        Map.entry("{\"rule\":\"a\",\"key\":\"b\"}", "may have the fields rule, subject"),
        Map.entry("{\"rule\":\"a\",\"for\":\"soon\"}", "for: must be a duration"),
        Map.entry("{\"rule\":\"a\",\"for\":\"366d\"}", "for: must be a duration"),
        Map.entry("{\"rule\":\"a\",\"until\":\"tomorrow\"}", "until: must be a time such as"),
        Map.entry("{\"rule\":\"a\",\"until\":\"2026-03-10T11:00:00Z\"}", "must end after it begins"),
        Map.entry("{\"rule\":\"a\",\"until\":\"2030-03-10T11:00:00Z\"}", "at most 365 days"),
        Map.entry("{\"rule\":\"a\",\"for\":\"1h\",\"until\":\"2026-03-10T13:00:00Z\"}", "not both"),
        Map.entry("{\"labels\":{\"network\":1}}", "network: must be a text"),
        Map.entry("{\"rule\":\"" + "x".repeat(501) + "\"}", "rule: must be a text of at most 500")).entrySet()) {
      var answer = post(wrong.getKey(), "Authorization", "Bearer " + WRITER);

      assertThat(answer.statusCode()).as(wrong.getKey()).isEqualTo(400);
      assertThat(json(answer).path("error").asText()).as(wrong.getKey()).contains(wrong.getValue());
    }
    assertThat(post("x".repeat(20_000), "Authorization", "Bearer " + WRITER).statusCode()).isEqualTo(413);
    assertThat(send("POST", "/v1/silences?source=other", VALID, "Authorization", "Bearer " + WRITER, "Content-Type",
        "application/json").statusCode()).isEqualTo(404);
    assertThat(commands()).isEmpty();
  }

  @Test
  void silenceWithoutRoom_isRefused() throws Exception {
    var labels = IntStream.range(0, 10).boxed().collect(Collectors.toMap(each -> "l" + each, each -> "x".repeat(500)));
    var many = IntStream.range(0, 100)
        .mapToObj(each -> new Silence("s" + each, "a", null, labels, NOW, NOW.plusSeconds(60), "ops", "")).toList();
    new CommandPublisher(topics, REGISTRY, CLIENT).publish(Watch.newBuilder().setKind(RuleAnnouncements.SILENCE)
        .setName("many").setText(RuleFormat.writeSilences(0, many)).setWho("ops").setAt(NOW).build());
    await().until(() -> status.silences().size() == many.size());

    var answer = post(VALID, "Authorization", "Bearer " + WRITER);

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(json(answer).path("error").asText()).contains("at most 500000 are allowed; end some first");
  }

  private List<Watch> commands() {
    var commands = new ArrayList<Watch>();
    try (var reader = new TopicReader(CLIENT, List.of(topics.watch()), REGISTRY)) {
      reader.readAll(record -> commands.add((Watch) record.value()));
    }
    return commands;
  }

  /** What the owner of the source would announce. */
  private String announced() {
    var owner = new RuleAnnouncements(RuleSet.EMPTY, topics.ruleSchemas(), topics.retention().changes());
    commands().forEach(owner::apply);
    return owner.takeDue(NOW).toString();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, "", "Authorization", "Bearer " + READER);
  }

  private HttpResponse<String> post(String body, String... headers) throws Exception {
    var all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Content-Type", "application/json"));
    return send("POST", "/v1/silences", body, all.toArray(String[]::new));
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
    return HTTP.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .headers(headers).method(method, BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return JSON.readTree(answer.body());
  }
}
