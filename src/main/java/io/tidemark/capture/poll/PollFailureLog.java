package io.tidemark.capture.poll;

import io.tidemark.market.Failure;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of the polls that the service fails or refuses to answer. It logs the first failure, and one summary per minute
 * while further failures follow. After a line about failures, it logs one line when every failed target has been
 * answered again. Thus failures that come and go cause at most two lines a minute.
 */
final class PollFailureLog {

  private static final Logger LOG = LoggerFactory.getLogger(PollFailureLog.class);
  private static final Duration SUMMARY_INTERVAL = Duration.ofMinutes(1);

  private final InstantSource clock;
  /** Names of the targets whose newest poll failed. */
  private final Set<String> failing = new HashSet<>();
  /** Names of the targets whose polls failed since the newest line of this log. */
  private final Set<String> targets = new HashSet<>();
  private int pollsSinceLine;
  private int pollsOfOutage;
  private @Nullable Instant since;
  private @Nullable Instant loggedAt;
  /** Whether the newest line reports failures. */
  private boolean failureLogged;

  PollFailureLog(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Records a failed poll, and logs a warning unless one was logged within the last minute.
   *
   * @param consequence what happens with the target next, as a clause that ends a sentence
   */
  synchronized void failed(Target target, Failure failure, String consequence) {
    var now = clock.instant();
    if (since == null) {
      since = now;
      pollsOfOutage = 0;
    }
    pollsOfOutage++;
    pollsSinceLine++;
    failing.add(target.name());
    targets.add(target.name());
    LOG.debug("could not poll target {} ({}); {}", target.name(), failure.getMessage(), consequence);
    if (loggedAt != null && now.isBefore(loggedAt.plus(SUMMARY_INTERVAL))) {
      return;
    }
    if (pollsSinceLine == 1) {
      LOG.warn("source {}: could not poll target {} ({}); {}", target.source(), target.name(), failure.getMessage(),
          consequence);
    } else {
      LOG.warn("source {}: failed polls since the last such line: {}, failed targets: {}. The newest failure: could not"
          + " poll target {} ({}); {}",
          target.source(), pollsSinceLine, targets.size(), target.name(), failure.getMessage(), consequence);
    }
    loggedAt = now;
    failureLogged = true;
    pollsSinceLine = 0;
    targets.clear();
  }

  /**
   * Records that the service answered a poll of this target, even if the answer is unreadable. An answer that refuses
   * the query counts as failed.
   */
  synchronized void answered(Target target) {
    failing.remove(target.name());
    if (since == null || !failing.isEmpty()) {
      return;
    }
    if (failureLogged) {
      LOG.info("source {}: all polls succeed again; failures lasted {} s, failed polls: {}", target.source(),
          Duration.between(since, clock.instant()).toSeconds(), pollsOfOutage);
      failureLogged = false;
      pollsSinceLine = 0;
      targets.clear();
    }
    since = null;
  }

  synchronized void unwatch(String target) {
    failing.remove(target);
  }
}
