package io.tidemark.capture.ledger;

import static java.util.Objects.requireNonNull;

import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.OpenTransaction;
import io.tidemark.kafka.TopicOffsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wait until everything before given end offsets of partitions is committed or aborted. A consumer of committed
 * records stops at the first open transaction and would restore only the records before it.
 */
final class OpenTransactionWait {

  private static final Logger LOG = LoggerFactory.getLogger(OpenTransactionWait.class);

  /**
   * Time that the wait may last before it is reported. After {@code initTransactions} has ended a transaction, the
   * markers of this transaction may take a moment to become visible.
   */
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration REPORT_INTERVAL = Duration.ofSeconds(30);

  private final LedgerSettings settings;
  private final Admin admin;
  private final TopicOffsets offsets;
  private final LedgerListener listener;

  OpenTransactionWait(LedgerSettings settings, Admin admin, LedgerListener listener) {
    this.settings = settings;
    this.admin = admin;
    this.offsets = new TopicOffsets(admin);
    this.listener = listener;
  }

  /**
   * Waits until everything before the given ends is committed or aborted. A ledger calls this method after it has
   * fenced every other writer, so that only other producers can hold it up.
   *
   * @throws LedgerFailure.TimedOut if a transaction stays open for longer than
   *     {@link LedgerSettings#openTransactionWait}
   */
  void await(Map<TopicPartition, Long> ends) {
    var begun = System.nanoTime();
    var report = begun + GRACE.toNanos();
    for (var stuck = stuck(ends); !stuck.isEmpty(); stuck = stuck(ends)) {
      var waited = Duration.ofNanos(System.nanoTime() - begun);
      if (waited.compareTo(settings.openTransactionWait()) >= 0) {
        throw new LedgerFailure.TimedOut(
            "source %s: cannot restore its state, because transactions of other producers did not end within %d s. %s"
                .formatted(settings.source(), waited.toSeconds(), describe(stuck)),
            null);
      }
      if (System.nanoTime() - report >= 0) {
        report = System.nanoTime() + REPORT_INTERVAL.toNanos();
        report(stuck, settings.openTransactionWait().minus(waited));
      }
      listener.waiting();
      AdminCalls.sleep(PAUSE);
    }
  }

  private void report(Map<TopicPartition, Long> stuck, Duration remaining) {
    var message = "waiting until %s for transactions of other producers to end. %s"
        .formatted(Instant.now().plus(remaining).truncatedTo(ChronoUnit.SECONDS), describe(stuck));
    LOG.warn("source {}: {}", settings.source(), message);
    listener.waiting(message);
  }

  /** Returns the last stable offset of each partition in which this offset is before the given end. */
  private Map<TopicPartition, Long> stuck(Map<TopicPartition, Long> ends) {
    var stuck = new HashMap<>(offsets.latest(ends.keySet()));
    stuck.entrySet().removeIf(stable -> stable.getValue() >= requireNonNull(ends.get(stable.getKey())));
    return stuck;
  }

  /**
   * Describes each open transaction, with the known facts about its producer and the command that aborts it, or only
   * names the partitions if no transaction can be read.
   */
  private String describe(Map<TopicPartition, Long> stuck) {
    var described = open(stuck).stream()
        .map(open -> "%s. To abort it: %s".formatted(open,
            open.abortCommand(requireNonNull(settings.kafka().get("bootstrap.servers")))))
        .collect(Collectors.joining(". "));
    return described.isEmpty()
        ? "Partitions with open transactions, each with its last stable offset: " + stuck
            + ". To find the producers, run 'kafka-transactions.sh describe-producers'"
        : described;
  }

  private List<OpenTransaction> open(Map<TopicPartition, Long> stuck) {
    try {
      return OpenTransaction.read(admin, stuck.keySet());
    } catch (KafkaException e) {
      LOG.warn("source {}: cannot read which producers have open transactions on {}. Cause: {}", settings.source(),
          stuck.keySet(), e.getMessage());
      return List.of();
    }
  }
}
