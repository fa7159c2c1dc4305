package io.tidemark.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** The traces of the whole program, from the poll of a target to the request to a receiver. */
class TracesIT {

  static final Duration TIMEOUT = Duration.ofMinutes(3);
  static final String LOGIN = "Bearer t0k3n-of-the-collector";

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0 }
      management: { port: 0 }
      topics: { partitions: 1 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { key: "${KEY}", per-minute: 3000, per-month: 100000000 } ]
          refresh: { new_pools: 1s }
          watch: { networks: { solana: { new-pools: {} } } }
      rules: { shipped: none, files: [ "${RULES}" ] }
      receivers: [ { name: hook, format: plain, url: "${HOOK}", private-addresses: true, at-most: 100000 per day } ]
      """;

  static final String RULES = """
      rules:
        - { name: moved, on: pool.changes, when: changed.price, annotations: { summary: "moved" } }
      """;

  @TempDir
  Path folder;

  final RunningComponents running = new RunningComponents();
  final SecretsInLog overheard = new SecretsInLog(LOGIN);
  final String prefix = SharedBroker.freshPrefix();
  final List<Span> spans = new CopyOnWriteArrayList<>();
  final Set<String> logins = ConcurrentHashMap.newKeySet();
  final List<String> notified = new CopyOnWriteArrayList<>();
  DisposableServer receivers;
  MarketServer market;
  Application program;

  /** A collector, and a receiver of alerts. */
  @BeforeEach
  void open() {
    receivers = HttpServer.create().host("127.0.0.1").port(0)
        .route(routes -> routes
            .post("/v1/traces", (request, response) -> {
              logins.add(String.valueOf(request.requestHeaders().get("authorization")));
              return request.receive().aggregate().asByteArray().doOnNext(this::collect).then(response.send());
            })
            .post("/hook", (request, response) -> {
              notified.add(String.valueOf(request.requestHeaders().get("traceparent")));
              return request.receive().aggregate().then(response.send());
            }))
        .bindNow();
    market = SimulatedMarketServer.start(
        SimulatedMarketServer.LOOPBACK, 0, "key", new SimulatorSettings(7, Scenario.CALM, 50),
        operation -> Duration.ofSeconds(1), ResponseJournal.none());
  }

  @AfterEach
  void close() {
    running.close();
    market.close();
    receivers.disposeNow();
    overheard.close();
    assertThat(overheard.lines).as("the login in the log, at debug level").isEmpty();
  }

  @Test
  void trace_leadsFromThePollToTheNotification() throws Exception {
    start("tracing: { endpoint: \"" + base() + "\", headers: { authorization: \"${LOGIN}\" } }");

    await().atMost(TIMEOUT).until(() -> notifySpan() != null);
    var notify = notifySpan();
    await().atMost(TIMEOUT).until(() -> spansOf(notify).keySet().containsAll(
        Set.of("poll new_pools", "detect", "commit", "alert moved", "notify hook")));
    var trace = spansOf(notify);
    var poll = trace.get("poll new_pools");
    var alert = spans.stream().filter(each -> each.getSpanId().equals(notify.getParentSpanId())).findFirst();

    assertThat(poll.getParentSpanId().isEmpty()).isTrue();
    assertThat(poll.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CLIENT);
    assertThat(poll.getEndTimeUnixNano()).isGreaterThan(poll.getStartTimeUnixNano());
    assertThat(attributes(poll))
        .containsEntry("http.request.method", "GET")
        .containsEntry("http.response.status_code", "200")
        .containsEntry("url.path", "/networks/solana/new_pools")
        .containsEntry("server.address", "127.0.0.1")
        .containsEntry("tidemark.source", "main")
        .hasEntrySatisfying("tidemark.target", each -> assertThat(each).startsWith("/networks/solana/new_pools?"));
    assertThat(trace.get("detect").getParentSpanId()).isEqualTo(poll.getSpanId());
    assertThat(trace.get("commit").getParentSpanId()).isEqualTo(poll.getSpanId());
    assertThat(alert).get().satisfies(each -> {
      assertThat(each.getName()).isEqualTo("alert moved");
      assertThat(each.getParentSpanId()).isEqualTo(trace.get("commit").getSpanId());
    });
    assertThat(attributes(notify)).containsEntry("http.response.status_code", "200");
    assertThat(headers("pool.changes")).contains(header(trace.get("commit")));
    assertThat(headers("alerts")).contains(header(alert.orElseThrow())).doesNotContain("none");
    assertThat(headers("alerts.state")).contains(header(alert.orElseThrow()));
    assertThat(notified).contains(header(notify)).doesNotContain("null");
    assertThat(logins).containsExactly(LOGIN);
    assertThat(metrics()).contains("tidemark_trace_spans_total{outcome=\"dropped\"} 0.0");
  }

  @Test
  void failedPoll_isASpanWithAnError() throws Exception {
    market.close();
    start("tracing: { endpoint: \"" + base() + "/v1/traces\" }");

    await().atMost(TIMEOUT).until(() -> spans.stream().anyMatch(each -> each.getName().equals("poll new_pools")));

    var poll = spans.stream().filter(each -> each.getName().equals("poll new_pools")).findFirst().orElseThrow();
    assertThat(poll.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
    assertThat(attributes(poll)).containsEntry("error.type", "Unreachable");
  }

  @Test
  void unreachableCollector_changesNothingElse() throws Exception {
    start("tracing: { endpoint: \"http://127.0.0.1:1\" }");

    await().atMost(TIMEOUT).until(() -> !metrics().contains("tidemark_trace_spans_total{outcome=\"dropped\"} 0.0"));
    var before = notified.size();
    await().atMost(TIMEOUT).until(() -> notified.size() > before);

    assertThat(notified).doesNotContain("null");
    assertThat(headers("pool.changes")).doesNotContain("none");
    await().atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(get("/health/ready")).startsWith("{\"status\":\"up\""));
    assertThat(metrics()).contains("tidemark_trace_spans_total{outcome=\"exported\"} 0.0");
  }

  @Test
  void withoutTracing_noHeaderIsWritten() throws Exception {
    start("");

    await().atMost(TIMEOUT).until(() -> !notified.isEmpty());

    assertThat(notified).containsOnly("null");
    assertThat(headers("pool.changes")).containsOnly("none");
    assertThat(headers("alerts")).containsOnly("none");
    assertThat(metrics()).doesNotContain("tidemark_trace_spans");
  }

  private void start(String tracing) throws Exception {
    var rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", prefix, "MARKET",
        market.baseUrl().toString(), "KEY", "key", "RULES", rules.toString(), "HOOK", base() + "/hook", "LOGIN", LOGIN);
    program = new Application(
        Settings.parse("test.yaml", CONFIG + tracing, environment::get), folder.resolve("streams"), running);
    program.start(EnumSet.allOf(Role.class));
  }

  private String base() {
    return "http://127.0.0.1:" + receivers.port();
  }

  private void collect(byte[] body) {
    try {
      ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
          .flatMap(each -> each.getScopeSpansList().stream())
          .forEach(each -> spans.addAll(each.getSpansList()));
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A request to the receiver, or null if none was collected. */
  private Span notifySpan() {
    return spans.stream().filter(each -> each.getName().equals("notify hook")).findFirst().orElse(null);
  }

  /** The collected spans of the same trace by name, one of each name. */
  private Map<String, Span> spansOf(Span one) {
    return spans.stream().filter(each -> each.getTraceId().equals(one.getTraceId()))
        .collect(Collectors.toMap(Span::getName, each -> each, (first, second) -> first));
  }

  private static Map<String, String> attributes(Span span) {
    var attributes = new HashMap<String, String>();
    span.getAttributesList().forEach(each -> attributes.put(each.getKey(),
        each.getValue().hasIntValue() ? Long.toString(each.getValue().getIntValue())
            : each.getValue().getStringValue()));
    return attributes;
  }

  private static String header(Span span) {
    return "00-" + HexFormat.of().formatHex(span.getTraceId().toByteArray()) + "-"
        + HexFormat.of().formatHex(span.getSpanId().toByteArray()) + "-01";
  }

  /** The headers {@code traceparent} of the records in a topic; {@code none} for a record without it. */
  private Set<String> headers(String topic) {
    var client = SharedBroker.access().client();
    client.put("isolation.level", "read_committed");
    var partition = new TopicPartition(prefix + topic, 0);
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    try (var consumer = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      var end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      }
    }
    return records.stream().map(each -> each.headers().lastHeader("traceparent"))
        .map(each -> each == null ? "none" : new String(each.value(), UTF_8))
        .collect(Collectors.toSet());
  }

  private String metrics() throws Exception {
    return get("/metrics");
  }

  private String get(String path) throws Exception {
    var address = URI.create("http://127.0.0.1:" + program.managementPort() + path);
    try (var http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
    }
  }
}
