package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.event.Watch;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandPublisherIT {

  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final Watch COMMAND = Watch.newBuilder().setKind("rules").setName("mine").setText("x").setWho("ann")
      .setAt(Instant.parse("2026-05-05T12:00:00Z")).build();

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final SchemaRegistry builtIn = new BuiltInRegistry(List.of());
  final SchemaRegistry external =
      new ConfluentRegistry(URI.create("http://127.0.0.1:1"), null, HttpClient.newHttpClient());

  @BeforeEach
  void createTopics() {
    try (var admin = Admin.create(CLIENT)) {
      new TopicSetup(admin, new TopicLayout(2, (short) 1)).ensure(List.of(topics.watch(), topics.sourceState()));
    }
  }

  @Test
  void commandOfTheOwnersRegistry_isWritten() throws Exception {
    writeSourceState("built-in");

    new CommandPublisher(topics, builtIn, CLIENT).publish(COMMAND);

    assertThat(commands()).containsExactly(COMMAND);
  }

  @Test
  void sourceWithoutAnOwnerYet_takesCommands() {
    new CommandPublisher(topics, builtIn, CLIENT).publish(COMMAND);

    assertThat(commands()).containsExactly(COMMAND);
  }

  @Test
  void commandThatTheOwnerCouldNotRead_isRefused_withTheWayOut() throws Exception {
    writeSourceState("external");

    assertThatThrownBy(() -> new CommandPublisher(topics, builtIn, CLIENT).publish(COMMAND))
        .isInstanceOf(SchemaRegistryFailure.UnknownSchema.class)
        .hasMessageContainingAll("an external registry", "with --registry");
    assertThat(commands()).isEmpty();
  }

  @Test
  void externalRegistry_whereTheBuiltInOneIsUsed_isRefused() throws Exception {
    writeSourceState("built-in");

    assertThatThrownBy(() -> new CommandPublisher(topics, external, CLIENT).publish(COMMAND))
        .hasMessageContaining("Leave out --registry");
    assertThat(commands()).isEmpty();
  }

  @Test
  void commandOfAnotherExternalRegistry_isRefused() throws Exception {
    writeSourceState("external");
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      var body = "{\"error_code\":40403,\"message\":\"Schema not found\"}".getBytes(UTF_8);
      exchange.sendResponseHeaders(404, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    try {
      var other = new ConfluentRegistry(URI.create("http://127.0.0.1:" + server.getAddress().getPort()), null,
          HttpClient.newHttpClient());

      assertThatThrownBy(() -> new CommandPublisher(topics, other, CLIENT).publish(COMMAND))
          .isInstanceOf(SchemaRegistryFailure.UnknownSchema.class)
          .hasMessageContainingAll("probably not the registry that the source uses", "Give the URL of that one");
    } finally {
      server.stop(0);
    }
    assertThat(commands()).isEmpty();
  }

  /** As when it is lost, and to be rebuilt. */
  @Test
  void sourceWithoutATopicOfItsState_hasNoRegistry() {
    var lost = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);

    assertThatCode(() -> OwnersRegistry.requireSame(lost, external, CLIENT, "rebuild the states"))
        .doesNotThrowAnyException();
  }

  private void writeSourceState(String registry) throws Exception {
    try (var producer = new KafkaProducer<>(CLIENT, new StringSerializer(), new ByteArraySerializer())) {
      var state = new ProducerRecord<>(topics.sourceState().name(), "main", new byte[] {0, 0, 0, 0, 7});
      state.headers().add(RecordHeader.REGISTRY.wire(), registry.getBytes(UTF_8));
      producer.send(state).get();
    }
  }

  private List<Object> commands() {
    var found = new ArrayList<>();
    try (var reader = new TopicReader(CLIENT, List.of(topics.watch()), builtIn)) {
      reader.readAll(record -> found.add(record.value()));
    }
    return found;
  }
}
