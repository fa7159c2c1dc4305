package io.tidemark.simulator.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Global;
import io.tidemark.http.client.ApiKey;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.http.server.QueryResponder;
import io.tidemark.http.server.StubMarketData;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The keys of the simulated service, as the client sees them over HTTP. */
class KeyAccountsTest {

  private Instant now = Instant.parse("2026-01-31T23:58:00Z");
  private final InstantSource clock = () -> now;
  private final KeyAccounts accounts = new KeyAccounts(List.of("one", "two"), 3, 5L, clock);
  private final AtomicInteger key = new AtomicInteger();
  private MarketServer server;
  private HttpMarketData client;

  @BeforeEach
  void start() {
    var responder = QueryResponder.of(
        StubMarketData.answering(now, query -> Observation.of(new Global())), FieldNaming.DOCUMENT, clock);
    server = MarketServer.start("127.0.0.1", 0,
        accounts.routes(responder, ResponseJournal.none())).block();
    var settings = HttpClientSettings.of(server.baseUrl(), null)
        .withKeys(List.of(new ApiKey("one"), new ApiKey("two"))).withRetries(0, Duration.ZERO);
    client = new HttpMarketData(
        settings, Mono::empty, () -> Mono.fromSupplier(key::get), clock, new ServiceClock(System::nanoTime));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** The key was still accepted when the request arrived. */
  @Test
  void keyRevokedWhileItsCallArrives_isABadKey() {
    var routes = new SimulatedRoutes(any -> true, accounts,
        query -> Mono.error(new AssertionError(query)), ResponseJournal.none(), clock);
    accounts.revoke("one");
    server.close();
    server = MarketServer.start("127.0.0.1", server.baseUrl().getPort(), routes).block();

    assertThatThrownBy(() -> call(0)).isInstanceOf(Failure.BadKey.class);
  }

  @Test
  void callsAreCountedByKey_theQuestionIncluded() {
    call(0);
    call(0);
    call(1);

    assertThat(client.keyReport(0).block()).satisfies(report -> {
      assertThat(report.getPlan()).isEqualTo("Simulated");
      assertThat(report.getPerMinute()).isEqualTo(3);
      assertThat(report.getPerMonth()).isEqualTo(5);
      assertThat(report.getUsed()).isEqualTo(3);
      assertThat(report.getRemaining()).isEqualTo(2);
    });
    assertThat(client.keyReport(1).block().getUsed()).isEqualTo(2);
  }

  @Test
  void keyBeyondItsMinute_isLimitedAlone() {
    for (int k = 0; k < 3; k++) {
      call(0);
    }

    assertThatThrownBy(() -> call(0)).isInstanceOfSatisfying(Failure.RateLimited.class,
        limited -> assertThat(limited.retryAfter()).isEqualTo(Duration.ofSeconds(61)));
    call(1);
    now = now.plusSeconds(61);
    call(0);
  }

  @Test
  void keyBeyondItsMonth_isRefusedUntilTheNextOne() {
    for (var i = 0; i < 5; i++) {
      accounts.count("one");
    }

    assertThatThrownBy(() -> call(0)).isInstanceOf(Failure.CreditsExhausted.class);
    call(1);
    now = now.plusSeconds(120);
    call(0);
    assertThat(client.keyReport(0).block().getUsed()).isEqualTo(2);
  }

  @Test
  void revokedKey_isRefusedAlone() {
    accounts.revoke("two");

    call(0);
    assertThatThrownBy(() -> call(1)).isInstanceOf(Failure.BadKey.class);
    assertThatThrownBy(() -> client.keyReport(1).block()).isInstanceOf(Failure.BadKey.class)
        .hasMessageNotContaining("two");
  }

  private void call(int number) {
    key.set(number);
    client.global(new Query.GlobalMarket()).block();
  }
}
