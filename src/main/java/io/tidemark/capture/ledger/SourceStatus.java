package io.tidemark.capture.ledger;

import java.util.Locale;

/**
 * The status of a source on an instance. The sessions of the owner write restoring, polling, degraded or stopped to
 * {@code source.state}; the other statuses stay on the instance.
 */
public enum SourceStatus {

  /** Another instance is the owner, or there is no owner. */
  STANDBY,
  STARTING,
  RESTORING,
  POLLING,
  /**
   * The owner polls with a problem, or it does not poll because Kafka does not answer or because a session has failed
   * and the next one has not begun.
   */
  DEGRADED,
  STOPPED,
  /** The instance cannot operate the source after a final failure, and leaves the source to other instances. */
  GIVEN_UP;

  /** Returns the name of the status in {@code source.state}, health and metrics. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the status with the given name. */
  public static SourceStatus of(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
