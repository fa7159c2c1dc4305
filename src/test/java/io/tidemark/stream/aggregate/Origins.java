package io.tidemark.stream.aggregate;

import io.tidemark.event.Origin;
import java.time.Instant;

/** Origins of changes in tests. */
final class Origins {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private Origins() {}

  static Origin at(Instant at) {
    return Origin.newBuilder().setObservedAt(at).build();
  }

  static Origin baseline(Instant at) {
    return Origin.newBuilder().setObservedAt(at).setBaseline(true).build();
  }

  /** So many seconds after noon. */
  static Instant second(int second) {
    return NOON.plusSeconds(second);
  }

  /** So many minutes after noon. */
  static Instant minute(int minute) {
    return NOON.plusSeconds(60L * minute);
  }
}
