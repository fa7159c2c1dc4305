package io.tidemark.ledger;

import io.tidemark.topic.TopicLayout;
import io.tidemark.topic.Topics;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which source a ledger writes, for whom, and where.
 *
 * @param owner this instance, by a name that people recognise
 * @param kafka what any Kafka client takes, {@code bootstrap.servers} at least
 * @param largestRecord bytes of a record with all that belongs to it; what is larger is left out
 * @param localStore folder on this machine's disk where what is known is kept meanwhile; null for a temporary one
 */
public record LedgerSettings(
    String source,
    String owner,
    Topics topics,
    TopicLayout layout,
    Map<String, Object> kafka,
    int largestRecord,
    @Nullable Path localStore) {

  /** What brokers take by default. */
  public static final int ONE_MEBIBYTE = 1 << 20;

  private static final int SMALLEST = 64 << 10;
  private static final int LARGEST = 4 * ONE_MEBIBYTE;

  public LedgerSettings {
    kafka = Map.copyOf(kafka);
    if (largestRecord < SMALLEST || largestRecord > LARGEST) {
      throw new IllegalArgumentException(
          "largest record: %d to %d bytes, not %d".formatted(SMALLEST, LARGEST, largestRecord));
    }
  }

  /** With records of at most 1 MiB. */
  public LedgerSettings(String source, String owner, Topics topics, TopicLayout layout, Map<String, Object> kafka) {
    this(source, owner, topics, layout, kafka, ONE_MEBIBYTE, null);
  }

  public LedgerSettings withLocalStore(@Nullable Path folder) {
    return new LedgerSettings(source, owner, topics, layout, kafka, largestRecord, folder);
  }
}
