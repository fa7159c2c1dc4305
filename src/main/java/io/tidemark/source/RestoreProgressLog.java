package io.tidemark.source;

import io.tidemark.ledger.RestoreProgress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says every few seconds how far a restore is; of a short one, nothing. */
final class RestoreProgressLog implements RestoreProgress {

  private static final Logger LOG = LoggerFactory.getLogger(RestoreProgressLog.class);
  private static final Duration EVERY = Duration.ofSeconds(3);

  private final String source;
  private final InstantSource clock;
  private final Instant start;
  private Instant next;

  RestoreProgressLog(String source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
    this.start = clock.instant();
    this.next = start.plus(EVERY);
  }

  @Override
  public void restored(long read, long total) {
    var now = clock.instant();
    if (!now.isBefore(next)) {
      next = now.plus(EVERY);
      LOG.info("source {}: {}", source, describe(read, total, Duration.between(start, now)));
    }
  }

  static String describe(long read, long total, Duration taken) {
    var perSecond = read / Math.max(0.001, taken.toMillis() / 1000.0);
    var part = total == 0 ? 100 : 100 * read / total;
    var left = perSecond < 1 ? "" : String.format(Locale.ROOT, ", %,.0f s to go", (total - read) / perSecond);
    return String.format(Locale.ROOT, "restoring from Kafka: %,d of about %,d records (%d %%), %,.0f a second%s",
        read, total, part, perSecond, left);
  }
}
