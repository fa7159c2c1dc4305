package io.tidemark.notify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.event.Alert;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Alertmanager itself, with the configuration that docs/using/receivers.md shows and shorter times. */
class AlertmanagerIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern CONFIGURATION =
      Pattern.compile("```yaml alertmanager.yml\n(route:.*?)```", Pattern.DOTALL);
  private static final Set<String> POOLS = Set.of("eth_0xb", "eth_0xc", "eth_0xd");

  @TempDir
  Path folder;

  private final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  private final SchemaRegistry registry = new BuiltInRegistry(topics.all());
  private final List<JsonNode> posted = new CopyOnWriteArrayList<>();
  private DisposableServer desk;
  private MailServer mail;
  private Process alertmanager;
  private URI address;
  private KafkaProducer<String, Alert> alerts;
  private Receivers receivers;

  @BeforeEach
  void start() throws Exception {
    desk = HttpServer.create().host("127.0.0.1").port(0)
        .route(routes -> routes.post("/alerts", (request, response) -> request.receive().aggregate().asString()
            .doOnNext(body -> posted.add(parse(body))).then(response.status(200).send())))
        .bindNow();
    mail = new MailServer();
    address = URI.create("http://127.0.0.1:" + freePort());
    alertmanager = startAlertmanager();
    await().atMost(TIMEOUT).until(this::isReady);
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topics.alerts()));
    }
    alerts = new KafkaProducer<>(KAFKA, new StringSerializer(), topics.alerts().serde(registry).serializer());
  }

  @AfterEach
  void stop() throws Exception {
    if (receivers != null) {
      receivers.close();
    }
    if (alerts != null) {
      alerts.close();
    }
    if (alertmanager != null) {
      alertmanager.destroyForcibly().waitFor();
    }
    if (mail != null) {
      mail.close();
    }
    if (desk != null) {
      desk.disposeNow();
    }
  }

  @Test
  void alerts_areGrouped_repeated_inhibited_mailed_andResolved() throws Exception {
    var receiver = new Receiver("am", new AlertmanagerFormat(NotificationLinks.NONE),
        address.resolve("/api/v2/alerts"), Alerts.ALL, NotificationLimit.parse("1000 per minute"), Duration.ofDays(1),
        true);
    var quarantine = new Quarantine("main", ReaderRole.RECEIVER, List.of(topics.alerts()), InstantSource.system());
    receivers = Receivers.start(List.of(receiver), topics, registry, KAFKA, quarantine, Alerts.NO_LISTENER, Traces.OFF);
    await().atMost(TIMEOUT).until(this::hasBegun);
    send("liquidity-pull", "critical", "eth_0xa", "firing");
    await().atMost(TIMEOUT).until(() -> mail.messages.stream().anyMatch(each -> each.contains("liquidity-pull")));

    for (var pool : Stream.concat(Stream.of("eth_0xa"), POOLS.stream()).toList()) {
      send("price-move", "warning", pool, "firing");
    }
    await().atMost(TIMEOUT)
        .until(() -> posted.stream().filter(each -> subjects(each, "firing").equals(POOLS)).count() >= 2);

    send("price-move", "warning", "eth_0xa", "resolved");
    POOLS.forEach(pool -> send("price-move", "warning", pool, "resolved"));
    await().atMost(TIMEOUT).until(() -> posted.stream().flatMap(each -> subjects(each, "resolved").stream())
        .collect(Collectors.toSet()).equals(POOLS));

    assertThat(posted).allSatisfy(each -> {
      assertThat(each.at("/groupLabels/alertname").asText()).isEqualTo("price-move");
      assertThat(subjects(each, "firing")).doesNotContain("eth_0xa");
    });
  }

  private static Set<String> subjects(JsonNode notification, String status) {
    return notification.path("alerts").valueStream().filter(each -> each.path("status").asText().equals(status))
        .map(each -> each.at("/labels/subject").asText()).collect(Collectors.toSet());
  }

  private void send(String rule, String severity, String subject, String status) {
    var alert = Alerts.coverageLost(status);
    var now = Instant.now();
    alert.setId(rule + "/" + subject);
    alert.setFingerprint(rule + subject);
    alert.setRule(rule);
    alert.setSeverity(severity);
    alert.setSubject(subject);
    alert.setEventTime(now);
    alert.setStartedAt(now.minusSeconds(60));
    alert.setFiredAt(now.minusSeconds(60));
    alert.setEndedAt(status.equals("resolved") ? now.plusSeconds(30) : null); // by a clock that is ahead
    alerts.send(new ProducerRecord<>(topics.alerts().name(), subject, alert));
    alerts.flush();
  }

  private boolean hasBegun() throws Exception {
    try (var admin = Admin.create(KAFKA)) {
      return admin.listConsumerGroupOffsets(Receivers.group("am", topics)).partitionsToOffsetAndMetadata().get()
          .containsKey(new TopicPartition(topics.alerts().name(), 0));
    }
  }

  private Process startAlertmanager() throws IOException {
    var shown = CONFIGURATION.matcher(Files.readString(Path.of("docs/using/receivers.md")));
    assertThat(shown.find()).isTrue();
    var configuration = shown.group(1)
        .replace("group_wait: 10s", "group_wait: 1s")
        .replace("group_interval: 1m", "group_interval: 1s")
        .replace("repeat_interval: 4h", "repeat_interval: 2s")
        .replace("https://desk.example.org", "http://127.0.0.1:" + desk.port())
        .replace("smarthost: mail.example.org:587",
            "smarthost: 127.0.0.1:" + mail.port() + "\n        require_tls: false");
    var file = Files.writeString(folder.resolve("alertmanager.yml"), configuration);
    for (var name : List.of("alertmanager", "prometheus-alertmanager")) { // the second one in packages of Debian
      try {
        return new ProcessBuilder(name, "--config.file=" + file, "--storage.path=" + folder.resolve("data"),
            "--web.listen-address=" + address.getAuthority(), "--cluster.listen-address=").redirectErrorStream(true)
            .redirectOutput(folder.resolve("alertmanager.log").toFile()).start();
      } catch (IOException e) {
        // not under this name
      }
    }
    return Assumptions.abort("needs Alertmanager, of Prometheus");
  }

  private boolean isReady() throws Exception {
    assertThat(alertmanager.isAlive()).as(() -> read(folder.resolve("alertmanager.log"))).isTrue();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(address.resolve("/-/ready")).build(), BodyHandlers.discarding())
          .statusCode() == 200;
    } catch (IOException e) {
      return false; // does not listen yet
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode parse(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Takes mail over SMTP. */
  private static final class MailServer implements AutoCloseable {
    final List<String> messages = new CopyOnWriteArrayList<>();
    private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());

    MailServer() throws IOException {
      Thread.ofVirtual().start(() -> {
        while (!server.isClosed()) {
          try (var client = server.accept()) {
            converse(client);
          } catch (IOException e) {
            // closed, or a client that went away: it comes again
          }
        }
      });
    }

    int port() {
      return server.getLocalPort();
    }

    private void converse(Socket client) throws IOException {
      var in = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
      answer(client, "220 ready");
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("DATA")) {
          answer(client, "354 go on");
          var message = new StringBuilder();
          for (var text = in.readLine(); text != null && !text.equals("."); text = in.readLine()) {
            message.append(text).append('\n');
          }
          messages.add(message.toString());
        }
        answer(client, line.equals("QUIT") ? "221 bye" : "250 ok");
      }
    }

    private static void answer(Socket client, String line) throws IOException {
      client.getOutputStream().write((line + "\r\n").getBytes(UTF_8));
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
