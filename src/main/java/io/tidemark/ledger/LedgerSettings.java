package io.tidemark.ledger;

import io.tidemark.topic.Layout;
import io.tidemark.topic.Topics;
import java.util.Map;

/**
 * Which source a ledger writes, for whom, and where.
 *
 * @param owner this instance, by a name that people recognise
 * @param kafka what any Kafka client takes, {@code bootstrap.servers} at least
 * @param largestRecord bytes of key, value and headers; a larger record is left out
 */
public record LedgerSettings(
    String source, String owner, Topics topics, Layout layout, Map<String, Object> kafka, int largestRecord) {
  /** What brokers take by default. */
  public static final int ONE_MEBIBYTE = 1 << 20;

  public LedgerSettings {
    kafka = Map.copyOf(kafka);
  }
}
