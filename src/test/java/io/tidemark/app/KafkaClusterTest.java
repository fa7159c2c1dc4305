package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaClusterTest {

  static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

  @AfterEach
  void forget() {
    System.clearProperty(ALLOWED);
  }

  @Test
  void loginWithTokens_asksTheTokenEndpointOfTheConfiguration() throws Exception {
    List<String> logins = Collections.synchronizedList(new ArrayList<>());
    var endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext("/", exchange -> {
      logins.add(exchange.getRequestHeaders().getFirst("Authorization"));
      exchange.sendResponseHeaders(400, -1);
      exchange.close();
    });
    endpoint.start();
    try {
      var properties = Map.of(
          "security.protocol", "SASL_PLAINTEXT",
          "sasl.mechanism", "OAUTHBEARER",
          "sasl.jaas.config", "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
          "sasl.login.callback.handler.class",
          "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
          "sasl.oauthbearer.token.endpoint.url", "http://127.0.0.1:" + endpoint.getAddress().getPort() + "/token",
          "sasl.oauthbearer.client.credentials.client.id", "ann",
          "sasl.oauthbearer.client.credentials.client.secret", "hidden");

      assertThatThrownBy(() -> KafkaCluster.connect("127.0.0.1:1", properties))
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("no Kafka answers at 127.0.0.1:1")
          .hasMessageNotContaining("hidden");
    } finally {
      endpoint.stop(0);
    }

    var login = Base64.getEncoder().encodeToString("ann:hidden".getBytes(StandardCharsets.UTF_8));
    assertThat(logins).isNotEmpty().allMatch(("Basic " + login)::equals);
  }

  @Test
  void addressesThatAllRefuse_areSaidAtOnce() throws Exception {
    int free;
    try (var socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }

    assertThatThrownBy(() -> KafkaCluster.at("127.0.0.1:%d,localhost:%d".formatted(free, free), Map.of())
        .requireListener())
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("nothing listens there");
  }

  @Test
  void anAddressThatAnswers_isEnough() throws Exception {
    try (var socket = new ServerSocket(0)) {
      var cluster = KafkaCluster.at("127.0.0.1:1,127.0.0.1:" + socket.getLocalPort(), Map.of());

      assertThat(cluster.requireListener()).isSameAs(cluster);
    }
  }
}
