package io.tidemark.stream;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StreamFailurePolicyTest {

  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final StreamFailurePolicy failures = new StreamFailurePolicy(() -> now);

  @ParameterizedTest
  @MethodSource("hopeless")
  void whatWillNotPass_stopsAtOnce(Throwable failure) {
    assertThat(failures.handle(failure)).isEqualTo(StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    assertThat(failures.fatal()).isSameAs(failure);
  }

  @Test
  void whatMayPass_isTriedAgainTwice() {
    assertThat(handled(3)).containsExactly(
        StreamThreadExceptionResponse.REPLACE_THREAD,
        StreamThreadExceptionResponse.REPLACE_THREAD,
        StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
  }

  @Test
  void failuresFarApart_neverStop() {
    var responses = IntStream.range(0, 9).mapToObj(n -> {
      now = now.plus(Duration.ofMinutes(3));
      return failures.handle(passing());
    });

    assertThat(responses).containsOnly(StreamThreadExceptionResponse.REPLACE_THREAD);
    assertThat(failures.fatal()).isNull();
  }

  static List<Throwable> hopeless() {
    return List.of(
        new StreamsException(new SerializationException("no change")),
        new StreamsException(new SchemaRegistryFailure.UnknownSchema("schema id 7")),
        new MissingSourceTopicException("pool.changes"),
        new StreamsException(new StoreFormatCheck.UnknownStoreFormat("format 2")));
  }

  private static Throwable passing() {
    return new StreamsException(new SchemaRegistryFailure.RegistryUnreachable("no answer", null));
  }

  private List<StreamThreadExceptionResponse> handled(int times) {
    return IntStream.range(0, times).mapToObj(n -> failures.handle(passing())).toList();
  }
}
