package io.tidemark.serve.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidemark.event.RecordCodec;
import io.tidemark.event.Sha256;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordJson;
import io.tidemark.kafka.Topic;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.serve.feed.FeedRequest.TopicRequest;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest record of each key of a compacted topic, and the offsets up to which the topic has been read. A tombstone
 * removes its key; an unreadable record leaves the previous record of its key. One thread applies records; any thread
 * reads.
 */
public final class LatestTable {

  /** Bytes of a consumer and an admin client with their buffers. */
  private static final long BYTES = 512 << 10;

  /** Bytes of the objects around a record without headers, and around a header. */
  private static final long BYTES_OF_RECORD = 304;
  private static final long BYTES_OF_HEADER = 112;

  final Topic<?> topic;
  final CompletableFuture<LatestTable> loaded = new CompletableFuture<>();
  private final FeedLimits limits;
  private final Vocabulary vocabulary;
  private final RecordCodec<SpecificRecord> codec;
  private final NavigableMap<String, HeldRecord> records = new TreeMap<>();
  private @Nullable FeedOffsets position;
  private long bytes = BYTES;
  private @Nullable FeedRefusal end;
  private volatile long requestedAt;

  /** A record without its value, and the encoded value, which is smaller. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record HeldRecord(CommittedRecord record, byte[] value) {
    long size() {
      return BYTES_OF_RECORD + value.length + 2L * record.keyText().length() + record.headers().entrySet().stream()
          .mapToLong(each -> BYTES_OF_HEADER + 2L * (each.getKey().length() + each.getValue().length())).sum();
    }
  }

  private record Match(HeldRecord held, @Nullable Object order) {}

  @SuppressWarnings("unchecked") // the codec writes only values of the topic
  LatestTable(Topic<?> topic, FeedLimits limits) {
    this.topic = topic;
    this.limits = limits;
    this.vocabulary = Vocabulary.of(topic.schema());
    this.codec = (RecordCodec<SpecificRecord>) RecordCodec.of(topic.value());
    if (!limits.tryRetainLatest(bytes, false)) {
      throw tooLarge();
    }
  }

  private FeedRefusal tooLarge() {
    return FeedRefusal
        .unavailable("the newest records of %s do not fit into the %d MB for the newest records of all topics requested"
            .formatted(topic.name(), (limits.mostBytes() * (loaded.isDone() ? 2 : 1)) >> 20)
            + " lately, a part of the heap; give the program a larger heap, or follow the topic as a feed");
  }

  void noteRequest() {
    requestedAt = System.nanoTime();
  }

  boolean isUnused(long nanos) {
    return System.nanoTime() - requestedAt > nanos;
  }

  synchronized void begin(FeedOffsets at) {
    position = at;
  }

  /** Notes that all records before the given offsets have been applied, and that this table is loaded. */
  void reached(List<Long> ends) {
    synchronized (this) {
      for (var i = 0; i < ends.size(); i++) {
        advance(i, ends.get(i));
      }
    }
    loaded.complete(this);
  }

  private void advance(int partition, long next) {
    var at = requireNonNull(position, "not begun");
    position = at.with(partition, Math.max(at.next().get(partition), next));
  }

  /**
   * Applies the next record of a partition.
   *
   * @throws FeedRefusal if the record does not fit into memory; a loaded table has twice the limit
   */
  synchronized void apply(CommittedRecord record) {
    advance(record.partition(), record.offset() + 1);
    if (record.unreadable() == null) {
      put(record.keyText(), record.value() == null ? null : held(record, record.value()));
    }
  }

  private HeldRecord held(CommittedRecord record, SpecificRecord value) {
    var out = new ByteArrayOutputStream();
    codec.write(value, out);
    return new HeldRecord(with(null, record), out.toByteArray());
  }

  private CommittedRecord decoded(HeldRecord held) {
    return with(codec.read(held.value(), 0), held.record());
  }

  private static CommittedRecord with(@Nullable SpecificRecord value, CommittedRecord record) {
    return new CommittedRecord(record.topic(), record.partition(), record.offset(), record.timestamp(), record.key(),
        record.headers(), record.size(), value, null);
  }

  private void put(String key, @Nullable HeldRecord next) {
    var before = next == null ? records.remove(key) : records.put(key, next);
    var more = (next == null ? 0 : next.size()) - (before == null ? 0 : before.size());
    if (!limits.tryRetainLatest(more, loaded.isDone())) {
      throw tooLarge();
    }
    bytes += more;
  }

  /** Removes the records that are older than the topic's retention, since Kafka deletes them without a tombstone. */
  synchronized void expire(Instant now) {
    var retention = topic.cleanup().retention();
    if (retention != null) {
      var oldest = now.minus(retention);
      records.values().stream().map(HeldRecord::record).filter(each -> each.time().isBefore(oldest)).toList()
          .forEach(each -> put(each.keyText(), null));
    }
  }

  /** Ends this table with a reason, which later requests get. */
  void end(FeedRefusal reason) {
    synchronized (this) {
      end = reason;
      records.clear();
      limits.releaseLatest(bytes);
    }
    loaded.completeExceptionally(reason);
  }

  /**
   * Finds the newest records of the requested keys, or of all keys, that pass the request's filters.
   *
   * @param order name of the value by which records are ordered, with a dash before it for the largest first; null for
   *     the order of the keys
   * @param top maximum number of records in the answer
   * @param client the client's key or address, to whose time for conditions the search is charged
   * @throws FeedRefusal if the request is invalid, if the client has no time left, or if this table has ended
   */
  public LatestAnswer find(TopicRequest request, @Nullable String order, int top, String client) {
    var conditions = limits.conditions();
    requireTime(request, client);
    var filter = conditions.compile(client, () -> FeedFilter.of(topic, request));
    return find(request, record -> {
      if (filter.isCostly() && !conditions.hasTimeLeft(client)) {
        throw FeedRefusal.tooManyRequests("where: " + ConditionBudget.EXCEEDED);
      }
      try {
        return filter.passes(record);
      } catch (EvaluationFailure e) {
        throw FeedRefusal.badRequest("where, at " + record.location() + ": " + e.getMessage());
      }
    }, order, top, client);
  }

  /** Finds the newest records that pass a filter. Of the request, uses only the keys. */
  public LatestAnswer find(
      TopicRequest request, Predicate<CommittedRecord> filter, @Nullable String order, int top, String client) {
    requireTime(request, client);
    var name = order == null ? "" : order.replaceFirst("^-", "");
    if (order != null && !vocabulary.contains(name)) {
      throw FeedRefusal.badRequest("order: " + vocabulary.unknown(name));
    }
    List<HeldRecord> held;
    FeedOffsets read;
    synchronized (this) {
      if (end != null) {
        throw end;
      }
      read = requireNonNull(position, "not begun");
      held = request.keys().isEmpty()
          ? List.copyOf(records.values())
          : request.keys().stream().sorted().map(records::get).filter(Objects::nonNull).toList();
    }
    var matches = new ArrayList<Match>();
    for (var each : held) {
      var begun = System.nanoTime();
      var record = decoded(each);
      if (filter.test(record)) {
        matches.add(new Match(each, vocabulary.value(name, requireNonNull(record.value()))));
      }
      limits.conditions().spend(client, System.nanoTime() - begun);
    }
    if (order != null) {
      Comparator<Comparable<Object>> values =
          order.startsWith("-") ? Comparator.reverseOrder() : Comparator.naturalOrder();
      matches.sort(Comparator.comparing(LatestTable::comparable, Comparator.nullsLast(values)));
    }
    return new LatestAnswer(read, matches.size(), matches.stream().limit(top).map(Match::held).toList());
  }

  private void requireTime(TopicRequest request, String client) {
    if (!limits.conditions().hasTimeLeft(client)) {
      throw FeedRefusal.tooManyRequests("this client's searches exceeded their time budget; search less often"
          + (request.where() == null ? "" : ", name keys, or remove loops from where"));
    }
  }

  @SuppressWarnings("unchecked") // all values of a name have the same class
  private static @Nullable Comparable<Object> comparable(Match match) {
    if (match.order() != null && !(match.order() instanceof Comparable)) {
      throw FeedRefusal.badRequest("order: the value is a list or a map; name a single value");
    }
    return (Comparable<Object>) match.order();
  }

  /** The records found, and the offsets up to which the topic had been read at that moment. */
  public final class LatestAnswer implements AutoCloseable {

    private final FeedOffsets read;
    private final int matched;
    private final List<HeldRecord> found;
    private long retained;

    private LatestAnswer(FeedOffsets read, int matched, List<HeldRecord> found) {
      this.read = read;
      this.matched = matched;
      this.found = found;
    }

    /** Returns the id with which a feed of the topic goes on after this answer, without a gap. */
    public String lastEvent() {
      return read.id();
    }

    /** Returns an entity tag. It is equal for answers with the same records and the same number of matches. */
    public String tag() {
      var offsets = found.stream().map(each -> each.record().partition() + "." + each.record().offset())
          .collect(Collectors.joining(" ", read.topicId() + " " + matched + " ", ""));
      return "W/\"" + Sha256.hex(offsets.getBytes(UTF_8)).substring(0, 32) + '"';
    }

    /** Returns the timestamp of the newest record found, or null if none was found. */
    public @Nullable Instant newest() {
      return found.stream().map(each -> each.record().time()).max(Comparator.naturalOrder()).orElse(null);
    }

    /** Decodes the records, one at a time. */
    public Stream<CommittedRecord> records() {
      return found.stream().map(LatestTable.this::decoded);
    }

    /**
     * Encodes this answer as JSON. Its bytes are counted as retained until this answer is closed.
     *
     * @throws FeedRefusal if too little memory is left
     */
    public byte[][] json() {
      var parts = new ArrayList<byte[]>();
      parts.add(("{\"matched\":" + matched + ",\"records\":[").getBytes(UTF_8));
      for (var each : found) {
        var part = ((parts.size() == 1 ? "" : ",") + RecordJson.of(decoded(each))).getBytes(UTF_8);
        var size = part.length + each.size();
        if (!limits.tryRetainLatest(size, true)) {
          throw FeedRefusal.unavailable(
              "tables and answers use all memory for the newest records; request fewer records, or try again later");
        }
        retained += size;
        parts.add(part);
      }
      parts.add("]}".getBytes(UTF_8));
      return parts.toArray(byte[][]::new);
    }

    @Override
    public void close() {
      limits.releaseLatest(retained);
      retained = 0;
    }
  }
}
