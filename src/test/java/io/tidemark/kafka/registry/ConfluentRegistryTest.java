package io.tidemark.kafka.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.event.Removed;
import io.tidemark.event.Secret;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.UnreadableRecordException;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfluentRegistryTest {

  static final String SUBJECT = "t.removed-value";

  final List<String> requests = new ArrayList<>();
  int status = 200;
  int serverErrors;
  String answer = "{}";
  /** The answer that a schema is not registered, with status 404; null if it is. */
  @Nullable
  String lookUp;
  /** Number of bytes that the head of the answer promises and that never come. */
  int missingBytes;
  Duration answerTimeout = Duration.ofMinutes(1);
  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void registeredSchema_isFoundWithoutTheRightToRegister() {
    answer = "{\"id\":42}";

    assertThat(registry(null).id(SUBJECT, Removed.getClassSchema())).isEqualTo(42);
    assertThat(requests).containsExactly("POST /api/subjects/t.removed-value null");
  }

  @ParameterizedTest
  @ValueSource(ints = {40401, 40403})
  void newSchema_isRegisteredUnderItsSubject(int notFound) {
    answer = "{\"id\":42}";
    lookUp = "{\"error_code\":%d,\"message\":\"not found\"}".formatted(notFound);

    assertThat(registry(null).id(SUBJECT, Removed.getClassSchema())).isEqualTo(42);
    assertThat(requests).containsExactly(
        "POST /api/subjects/t.removed-value null", "POST /api/subjects/t.removed-value/versions null");
  }

  @Test
  void schemaThatMayNotBeLookedUp_isRegistered() {
    answer = "{\"id\":42}";
    lookUp = "no such route";

    assertThat(registry(null).id(SUBJECT, Removed.getClassSchema())).isEqualTo(42);
  }

  @Test
  void loginThatMayNotRegister_isToldWhatToDo() {
    status = 403;

    assertThatThrownBy(() -> registry(null).id(SUBJECT, Removed.getClassSchema()))
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class)
        .hasMessageContaining("schemas push");
  }

  @Test
  void secondTime_sendsNoRequest() {
    answer = "{\"id\":42}";
    var registry = registry(null);
    registry.id(SUBJECT, Removed.getClassSchema());

    registry.id(SUBJECT, Removed.getClassSchema());

    assertThat(requests).hasSize(1);
  }

  @Test
  void id_givesItsSchema() {
    answer = "{\"schema\":\"\\\"string\\\"\"}";

    assertThat(registry(null).schema(42).getType().getName()).isEqualTo("string");
    assertThat(requests).containsExactly("GET /api/schemas/ids/42 null");
  }

  @Test
  void login_isSent() {
    answer = "{\"id\":1}";

    registry(new Secret("ann:secret")).id(SUBJECT, Removed.getClassSchema());

    assertThat(requests).containsExactly("POST /api/subjects/t.removed-value Basic YW5uOnNlY3JldA==");
  }

  @Test
  void rejectedSchema_quotesTheRegistry() {
    status = 409;
    answer = "{\"error_code\":409,\"message\":\"incompatible with version 1\"}";
    lookUp = "{\"error_code\":40401,\"message\":\"Subject not found.\"}";

    assertThatThrownBy(() -> registry(null).id(SUBJECT, Removed.getClassSchema()))
        .isInstanceOf(SchemaRegistryFailure.RejectedByRegistry.class)
        .hasMessageContaining("/subjects/t.removed-value/versions answered 409: incompatible with version 1");
  }

  @Test
  void unknownId_isOneOfARegistryThatIsAway_forAnHour() {
    status = 404;
    answer = "{\"error_code\":40403,\"message\":\"Schema not found\"}";
    var registry = registry(null);

    assertThatThrownBy(() -> registry.schema(5)).isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class)
        .hasMessageContainingAll("Schema not found", "until 2026-01-01T01:00:00Z");
    assertThat(requests).as("once, and again after each pause").hasSize(3);

    now = now.plus(Duration.ofMinutes(59));
    assertThatThrownBy(() -> registry.schema(5)).isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class);

    now = now.plus(Duration.ofMinutes(1));
    assertThatThrownBy(() -> registry.schema(5)).isInstanceOf(SchemaRegistryFailure.UnknownSchema.class);
    var asked = requests.size();
    assertThatThrownBy(() -> registry.schema(5)).isInstanceOf(SchemaRegistryFailure.UnknownSchema.class);
    assertThat(requests).as("the next record does not ask again").hasSize(asked);
    assertThatThrownBy(() -> registry.schema(6)).as("another id has an hour of its own")
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class);
  }

  /** Commands have many writers, one of which may use another registry. */
  @Test
  void commandWithAnUnknownId_isUnreadableAtOnce() {
    status = 404;
    answer = "{\"error_code\":40403,\"message\":\"Schema not found\"}";
    var topics = new Topics("t.", Retention.DEFAULT);
    var registry = registry(null);
    var value = new byte[] {0, 0, 0, 0, 5, 1, 2};

    assertThatThrownBy(() -> topics.pool().changes().decoder(registry).value(value))
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class);
    assertThatThrownBy(() -> topics.watch().decoder(registry).value(value))
        .isInstanceOfSatisfying(UnreadableRecordException.class,
            failure -> assertThat(failure.reason()).isEqualTo(UnreadableReason.UNKNOWN_SCHEMA));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax = \\\"proto3\\\";\"}",
    "{\"schemaType\":\"JSON\",\"schema\":\"{\\\"type\\\":\\\"string\\\"}\"}",
    "{\"schema\":\"syntax = \\\"proto3\\\";\"}",
    "{\"schema\":\"\\\"Referenced\\\"\",\"references\":[]}"})
  void schemaThatIsNotAvro_makesEachRecordUnreadable_andIsRequestedOnce(String notAvro) {
    answer = notAvro;
    var decoder = new Topics("t.", Retention.DEFAULT).control().decoder(registry(null));

    for (int record = 0; record < 2; record++) {
      assertThatThrownBy(() -> decoder.value(new byte[] {0, 0, 0, 0, 42, 1}))
          .isInstanceOfSatisfying(UnreadableRecordException.class,
              failure -> assertThat(failure.reason()).isEqualTo(UnreadableReason.OTHER_SCHEMA))
          .hasMessageContaining("id 42");
    }
    assertThat(requests).hasSize(1);
  }

  @Test
  void unknownId_thatTheRegistryLearns_isKnownAtOnce() {
    status = 404;
    answer = "{\"error_code\":40403,\"message\":\"Schema not found\"}";
    var registry = registry(null);
    assertThatThrownBy(() -> registry.schema(5)).isInstanceOf(SchemaRegistryFailure.class);

    status = 200;
    answer = "{\"schema\":\"\\\"string\\\"\"}";

    assertThat(registry.schema(5).getType().getName()).isEqualTo("string");
  }

  @Test
  void notFoundOfAProxy_isNoWordAboutAnId_howeverLongItLasts() {
    status = 404;
    answer = "<html>not found</html>";
    var registry = registry(null);
    assertThatThrownBy(() -> registry.schema(5)).isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class);

    now = now.plus(Duration.ofDays(1));

    assertThatThrownBy(() -> registry.schema(5)).isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class)
        .hasMessageContaining("registry.url");
  }

  @Test
  void serverError_isRetried_afterEachPause() {
    status = 503;
    answer = "<html>";

    assertThatThrownBy(() -> registry(null).schema(5))
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class)
        .hasMessageContaining("503");
    assertThat(requests).as("once, and again after each pause").hasSize(3);
  }

  @Test
  void passingServerError_isRetried() {
    serverErrors = 2;
    answer = "{\"schema\":\"\\\"string\\\"\"}";

    assertThat(registry(null).schema(42).getType().getName()).isEqualTo("string");
    assertThat(requests).hasSize(3);
  }

  @Test
  @Timeout(60)
  void answerThatStopsAfterItsHead_isNoAnswer() {
    missingBytes = 1_000;
    answerTimeout = Duration.ofMillis(300);

    assertThatThrownBy(() -> registry(null).schema(5))
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class)
        .hasMessageContaining("no complete answer within 300 ms");
    assertThat(requests).as("once, and again after each pause").hasSize(3);
  }

  @Test
  void endlessAnswer_isNoAnswer() {
    answer = "x".repeat(5 << 20);

    assertThatThrownBy(() -> registry(null).schema(5))
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class)
        .hasMessageContaining("more than 4194304 bytes");
  }

  @Test
  void anotherServiceAtThatAddress_isNamed() {
    assertThatThrownBy(() -> registry(null).schema(5))
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class)
        .hasMessageContaining("registry.url");
  }

  @Test
  void noServer_isNamedWithItsAddress() {
    server.stop(0);

    assertThatThrownBy(() -> registry(null).schema(5))
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class)
        .hasMessageContaining("registry http://127.0.0.1:" + server.getAddress().getPort() + "/api")
        .hasMessageContaining("registry.url");
  }

  private ConfluentRegistry registry(Secret login) {
    var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/");
    return new ConfluentRegistry(url, login, HttpClient.newHttpClient(), List.of(Duration.ZERO, Duration.ZERO),
        answerTimeout, () -> now);
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.add(
        "%s %s %s"
            .formatted(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                exchange.getRequestHeaders().getFirst("Authorization")));
    var isLookUp = lookUp != null && exchange.getRequestURI().getPath().endsWith("-value");
    var bytes = (isLookUp ? lookUp : answer).getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(
        isLookUp ? 404 : requests.size() > serverErrors ? status : 503, bytes.length + missingBytes);
    exchange.getResponseBody().write(bytes);
    exchange.getResponseBody().flush();
    if (missingBytes == 0) {
      exchange.close();
    }
  }
}
