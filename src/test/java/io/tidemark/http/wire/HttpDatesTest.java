package io.tidemark.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpDatesTest {
  private static final Instant NOW = Instant.parse("2026-03-09T03:27:00Z");

  @ParameterizedTest
  @CsvSource(nullValues = "-", value = {
    "119,                               -,                         PT1M59S",
    "0,                                 -,                         PT0S",
    "86400,                             -,                         PT10M",
    "soon,                              -,                         -",
    "-1,                                -,                         -",
    "-,                                 -,                         -",
    "'Mon, 09 Mar 2026 03:28:30 GMT',   -,                         PT1M30S",
    "'Mon, 09 Mar 2026 03:20:00 GMT',   -,                         PT0S",
    "'Mon, 09 Mar 2026 03:27:01 GMT',   -,                         PT1S",
    "-,                                 2026-03-09 03:28:00 +0000, PT1M",
    "-,                                 tomorrow,                  -",
    "5,                                 2026-03-09 03:28:00 +0000, PT5S",
  })
  void wait_isWhatTheServiceSays_withinBounds(String retryAfter, String reset, Duration expected) {
    assertThat(HttpDates.retryAfter(retryAfter, reset, NOW)).isEqualTo(expected);
  }
}
