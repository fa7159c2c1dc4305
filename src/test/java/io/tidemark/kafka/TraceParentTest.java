package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123Z");
  static final TraceParent POLL = TraceParent.ofPoll("main", "/global", NOON, 1);

  @Test
  void text_isThatOfTraceContext() {
    assertThat(POLL.text()).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01").contains(POLL.traceId(), POLL.spanId());
    assertThat(TraceParent.ofPoll("main", "/global", NOON, 0).text()).endsWith("-00");
  }

  /** The header of a change written by one instance names the spans that another one exports. */
  @Test
  void ids_areTheSameEachTime() {
    assertThat(TraceParent.ofPoll("main", "/global", NOON.plusNanos(999), 1)).isEqualTo(POLL);
    assertThat(POLL.child("commit")).isEqualTo(POLL.child("commit"));
    assertThat(POLL.traceId()).isEqualTo("2c6f3521c7e2368bd021b5b15b5a577f");
  }

  @Test
  void ids_differByWhatTheyAreOf() {
    assertThat(IntStream.range(0, 1_000)
        .mapToObj(each -> TraceParent.ofPoll("main", "/global", NOON.plusMillis(each), 1).traceId()))
        .doesNotHaveDuplicates();
    assertThat(POLL.traceId()).isNotEqualTo(TraceParent.ofPoll("other", "/global", NOON, 1).traceId())
        .isNotEqualTo(TraceParent.ofPoll("main", "/platforms", NOON, 1).traceId());
    assertThat(POLL.child("a").spanId()).isNotEqualTo(POLL.child("b").spanId()).isNotEqualTo(POLL.spanId());
    assertThat(POLL.child("a").traceId()).isEqualTo(POLL.traceId());
  }

  @Test
  void ratio_isThatOfTheSampledTraces() {
    var sampled = IntStream.range(0, 10_000)
        .filter(each -> TraceParent.ofPoll("main", "/global", NOON.plusMillis(each), 0.1).sampled())
        .count();

    assertThat(sampled).isBetween(900L, 1_100L);
  }

  @Test
  void header_isReadAsItWasWritten() {
    var headers = new RecordHeaders();
    POLL.child("commit").addTo(headers);

    assertThat(TraceParent.of(headers)).isEqualTo(POLL.child("commit"));
    assertThat(TraceParent.of(new RecordHeaders())).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x"})
  void invalidHeader_isNone(String text) {
    var headers = new RecordHeaders().add("traceparent", text.getBytes(US_ASCII));

    assertThat(TraceParent.of(headers)).isNull();
  }

  @Test
  void headerWithoutValue_isNone() {
    assertThat(TraceParent.of(new RecordHeaders().add("traceparent", null))).isNull();
  }
}
