package io.tidemark.ledger;

import java.util.Locale;
import java.util.stream.Stream;

/** What an instance does with a source. The owner writes its own status to {@code source.state}. */
public enum SourceStatus {

  /** Another instance is the owner, or none is. */
  STANDBY,
  STARTING,
  RESTORING,
  POLLING,
  /** The owner polls, and something is wrong. */
  DEGRADED,
  STOPPED,
  /** The instance cannot work the source and leaves it to the others. */
  GIVEN_UP;

  /** As {@code source.state}, health and metrics name it. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The status of that name. */
  public static SourceStatus of(String wire) {
    return Stream.of(values())
        .filter(status -> status.wire().equals(wire))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no status of a source is named '" + wire + "'"));
  }
}
