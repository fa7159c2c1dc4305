package io.tidemark.topic;

/**
 * How large records may be. Each limit leaves room for the one before it, so that a record that passed one check fails
 * no later one: record 1 MiB, request 2 MiB, batch 8 MiB.
 */
public final class RecordLimits {

  /** A record with key, headers and overhead: what brokers and their topics accept by default. */
  public static final int RECORD = 1 << 20;

  /** Room for what surrounds a value: key, headers, batch. */
  private static final int AROUND_VALUE = 64 << 10;

  /** A value that streams store or write. Internal topics may have the broker's defaults. */
  public static final int VALUE = RECORD - AROUND_VALUE;

  /** A key: half of what surrounds a value. */
  public static final int KEY = AROUND_VALUE / 2;

  /** {@code max.request.size} of producers, which estimate the size of a record from above. */
  public static final int REQUEST = 2 * RECORD;

  /** {@code max.message.bytes} of topics, for a batch of many records, and the largest value that readers decode. */
  public static final int BATCH = 8 * RECORD;

  private RecordLimits() {}
}
