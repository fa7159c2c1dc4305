package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.app.config.TracingSettings;
import io.tidemark.event.Secret;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces.FinishedSpan;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

class OtlpTracesTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final String LOGIN = "s3cr3t";

  final Map<String, Integer> counted = new ConcurrentHashMap<>();
  final ListAppender<ILoggingEvent> log = new ListAppender<>();
  DisposableServer collector;

  @AfterEach
  void stop() {
    ((Logger) LoggerFactory.getLogger(OtlpTraces.class)).detachAppender(log);
    collector.disposeNow();
  }

  private OtlpTraces traces(double sample) {
    log.start();
    ((Logger) LoggerFactory.getLogger(OtlpTraces.class)).addAppender(log);
    var endpoint = URI.create("http://127.0.0.1:" + collector.port() + "/v1/traces");
    return new OtlpTraces(new TracingSettings(endpoint, sample, Map.of("authorization", new Secret(LOGIN))),
        "1", "test", count("exported"), count("dropped"));
  }

  private IntConsumer count(String outcome) {
    return spans -> counted.merge(outcome, spans, Integer::sum);
  }

  private static void end(OtlpTraces traces, int spans) {
    for (var each = 0; each < spans; each++) {
      var span = traces.poll("main", "/global", NOON.plusMillis(each));
      traces.ended(new FinishedSpan(span, null, "poll global", true, NOON, NOON.plusSeconds(1), Map.of()));
    }
  }

  private void answering(Mono<Void> before, int status) {
    collector = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> request.receive().aggregate().then(before)
            .then(Mono.defer(() -> response.status(status).send().then())))
        .bindNow();
  }

  @Test
  void spansBeyondTheQueue_areDroppedAtOnceAndReportedOnce() {
    answering(Mono.never(), 200);
    var traces = traces(1);

    end(traces, OtlpTraces.MOST_WAITING + 100);

    assertThat(counted).isEqualTo(Map.of("dropped", 100));
    assertThat(log.list).hasSize(1);
    traces.close();
  }

  @Test
  void spansThatTheCollectorRefuses_areDropped_andTheLogSaysWhy() {
    answering(Mono.empty(), 400);
    var traces = traces(1);
    end(traces, 3);

    traces.close();

    assertThat(counted).isEqualTo(Map.of("dropped", 3));
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(1).first().asString()
        .contains("http://127.0.0.1:" + collector.port(), "answered with an error").doesNotContain(LOGIN);
  }

  @Test
  void unreachableCollector_isNamedInTheLog() {
    answering(Mono.empty(), 200);
    collector.disposeNow();
    var traces = traces(1);
    end(traces, 1);

    traces.close(); // waits no longer than a stop may take, while OpenTelemetry still tries again

    await().atMost(Duration.ofMinutes(1)).until(() -> counted.equals(Map.of("dropped", 1)));
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).hasSize(1).first().asString()
        .contains("http://127.0.0.1:" + collector.port(), "ConnectException").doesNotContain(LOGIN);
  }

  @Test
  void spansThatWaitAtTheEnd_areExported() {
    answering(Mono.empty(), 200);
    var traces = traces(1);
    end(traces, 3);

    traces.close();

    assertThat(counted).isEqualTo(Map.of("exported", 3));
    assertThat(log.list).isEmpty();
  }

  @Test
  void traceThatIsNotSampled_isNotExported() {
    answering(Mono.empty(), 200);
    var traces = traces(0.5);
    end(traces, 1_000);

    traces.close();

    var sampled = IntStream.range(0, 1_000)
        .filter(each -> TraceParent.ofPoll("main", "/global", NOON.plusMillis(each), 0.5).sampled()).count();
    assertThat(counted).isEqualTo(Map.of("exported", (int) sampled));
    assertThat(sampled).isBetween(400L, 600L);
  }
}
