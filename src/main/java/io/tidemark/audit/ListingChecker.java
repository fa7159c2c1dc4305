package io.tidemark.audit;

import io.tidemark.event.PoolListing;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.CommittedRecord.RecordPosition;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.Topics;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A checker that {@code pool.listing} has exactly the records that the changes of rankings imply.
 *
 * <p>The records for one list are in all partitions, because their key is the pool. So the checker adds up the hashes
 * of all records for each change of a ranking. If there are many changes, the checker divides the lists into slices and
 * reads the topics again for each slice, so that memory is bounded.
 */
final class ListingChecker {

  private static final int SLICE = 400_000;

  /**
   * Number of offsets to read at the beginning of a truncated range, which is a range whose earlier records were
   * deleted by retention. They give the earliest time in the range. Retention deletes whole segments, so at least one
   * of these offsets has a record.
   */
  private static final int HEAD = 1_000;

  private final CheckedReader reader;
  private final AuditReport report;
  private final List<OffsetRange> changes;
  private final List<OffsetRange> listings;
  private final long after;
  private final int slices;

  ListingChecker(Topics topics, CheckedReader reader, AuditReport report) {
    this.reader = reader;
    this.report = report;
    this.changes = reader.ranges(topics.ranking().changes()).toList();
    this.listings = reader.ranges(topics.poolListing()).toList();
    // of a list whose changes were all deleted, nothing is expected
    this.after = Stream.concat(changes.stream().filter(range -> range.size() > 0), listings.stream())
        .mapToLong(this::truncatedAt)
        .max()
        .orElse(Long.MIN_VALUE);
    this.slices = 1 + (int) (changes.stream().mapToLong(OffsetRange::size).sum() / SLICE);
  }

  void check() {
    for (var slice = 0; slice < slices; slice++) {
      new Slice(slice).check();
    }
  }

  /**
   * Returns the earliest time in a range, if retention deleted earlier records. At this time, retention may have
   * deleted only some of the records of a transaction. Returns {@code Long.MIN_VALUE} if retention deleted nothing,
   * and {@code Long.MAX_VALUE} if it deleted records but no readable record is at the beginning of the range.
   */
  private long truncatedAt(OffsetRange range) {
    var times = new long[] {range.isTruncated() ? Long.MAX_VALUE : Long.MIN_VALUE};
    if (range.isTruncated()) {
      reader.readAgain(range.limit(HEAD), record -> times[0] = Math.min(times[0], record.timestamp()));
    }
    return times[0];
  }

  /**
   * The numbers of expected and found listings for one change of a ranking, and the difference between the sums of
   * their hashes.
   */
  private static final class ListingSum {
    final RecordPosition position;
    int expected;
    int found;
    long hash;

    ListingSum(RecordPosition position) {
      this.position = position;
    }
  }

  private record RankingRevision(String list, long generation, long revision) {
    boolean after(@Nullable RankingRevision other) {
      return other == null || generation > other.generation
          || (generation == other.generation && revision > other.revision);
    }
  }

  private final class Slice {

    private final int number;
    private final Map<RankingRevision, ListingSum> sums = new HashMap<>();
    private final Map<String, RankingRevision> newest = new HashMap<>();

    Slice(int number) {
      this.number = number;
    }

    void check() {
      changes.forEach(range -> reader.readAgain(range, afterTruncation(this::expect)));
      listings.forEach(range -> read(range, afterTruncation(this::find)));
      sums.values().stream().filter(sum -> sum.hash != 0 || sum.found != sum.expected).forEach(this::reportSum);
    }

    /** Reads a range of listings. The first slice also checks the laws that hold for all records. */
    private void read(OffsetRange range, Consumer<CommittedRecord> visitor) {
      if (number == 0) {
        reader.readLedgerTopic(range, visitor);
      } else {
        reader.readAgain(range, visitor);
      }
    }

    private Consumer<CommittedRecord> afterTruncation(Consumer<CommittedRecord> visitor) {
      return record -> {
        if (record.timestamp() > after) {
          visitor.accept(record);
        }
      };
    }

    private boolean has(String list) {
      return Math.floorMod(list.hashCode(), slices) == number;
    }

    private void expect(CommittedRecord record) {
      if (!(record.value() instanceof RankingChange change) || !has(change.getId())) {
        return;
      }
      var name = new RankingRevision(change.getId(), change.getGeneration().toEpochMilli(), change.getRevision());
      newest.put(change.getId(), name);
      if (change.getOrder() != null) {
        listings(change, change.getOrder()).forEach(hash -> {
          var sum = sums.computeIfAbsent(name, any -> new ListingSum(record.position()));
          sum.expected++;
          sum.hash += hash;
        });
      }
    }

    private Stream<Long> listings(RankingChange change, RankingOrderChange order) {
      var entered = order.getEntered().stream()
          .map(each -> hash(change, "entered", each.getPool(), each.getRank(), null));
      var exited =
          order.getExited().stream().map(each -> hash(change, "exited", each.getPool(), null, each.getRankBefore()));
      var moved = order.getMoved().stream()
          .map(each -> hash(change, "moved", each.getPool(), each.getRank(), each.getRankBefore()));
      return Stream.of(entered, exited, moved).flatMap(all -> all);
    }

    private void find(CommittedRecord record) {
      if (!(record.value() instanceof PoolListing listing) || !has(listing.getList())) {
        return;
      }
      var name = new RankingRevision(listing.getList(), listing.getGeneration().toEpochMilli(), listing.getRevision());
      var sum = sums.get(name);
      if (sum != null) {
        sum.found++;
        sum.hash -= hash(record, listing);
      } else if (!name.after(newest.get(listing.getList()))) {
        report.add(ConsistencyLaw.LISTINGS, record.position(), "list and revision",
            "a change of the list with this listing", name);
      }
    }

    private void reportSum(ListingSum sum) {
      report.add(ConsistencyLaw.LISTINGS, sum.position, "pool.listing",
          sum.expected + " records, as the change of the ranking implies",
          sum.found + (sum.found == sum.expected ? " records with other contents" : " records"));
    }
  }

  private static long hash(
      RankingChange change, String action, String pool, @Nullable Integer rank, @Nullable Integer before) {
    return ValueHash.of(Arrays.asList(pool, pool, action, rank, before, change.getKind(), change.getNetwork(),
        change.getDuration(), change.getOrder() == null ? 0 : change.getOrder().getSize(), change.getOrigin()));
  }

  private static long hash(CommittedRecord record, PoolListing listing) {
    return ValueHash.of(Arrays.asList(record.keyText(), listing.getPool(), listing.getAction(), listing.getRank(),
        listing.getRankBefore(), listing.getKind(), listing.getNetwork(), listing.getDuration(), listing.getSize(),
        listing.getOrigin()));
  }
}
