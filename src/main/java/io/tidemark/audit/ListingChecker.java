package io.tidemark.audit;

import io.tidemark.event.PoolListing;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.CommittedRecord.RecordPosition;
import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.Topics;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The flat records of pools in lists are the rankings' changes, one for one.
 *
 * <p>A list's records lie in all partitions, by pool. They are summed up by their fingerprints, change for change; where
 * there are many changes, a slice of the lists at a time, so that memory is bounded.
 */
final class ListingChecker {

  private static final int SLICE = 400_000;

  /** Retention cuts between segments; so many offsets hold one record that is left. */
  private static final int HEAD = 1_000;

  private final CheckedReader reading;
  private final AuditReport report;
  private final List<OffsetRange> changes;
  private final List<OffsetRange> listings;
  private final long after;
  private final int slices;

  ListingChecker(Topics topics, CheckedReader reading, AuditReport report) {
    this.reading = reading;
    this.report = report;
    this.changes = reading.ranges(topics.ranking().changes()).toList();
    this.listings = reading.ranges(topics.poolListing()).toList();
    this.after = Stream.concat(changes.stream(), listings.stream()).mapToLong(this::cutAt).max().orElse(Long.MIN_VALUE);
    this.slices = 1 + (int) (changes.stream().mapToLong(OffsetRange::size).sum() / SLICE);
  }

  void check() {
    for (var slice = 0; slice < slices; slice++) {
      new Slice(slice).check();
    }
  }

  /** What is not later may have lost a part of its transaction to retention. */
  private long cutAt(OffsetRange range) {
    var times = new long[] {range.isTruncated() ? Long.MAX_VALUE : Long.MIN_VALUE};
    if (range.isTruncated()) {
      reading.readAgain(range.limit(HEAD), row -> times[0] = Math.min(times[0], row.timestamp()));
    }
    return times[0];
  }

  /** The records of one change of a ranking, summed up. */
  private static final class ListingSum {
    final RecordPosition place;
    int expected;
    int found;
    long hash;

    ListingSum(RecordPosition place) {
      this.place = place;
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
      changes.forEach(range -> reading.readAgain(range, in(this::expect)));
      listings.forEach(range -> read(range, in(this::find)));
      sums.values().stream().filter(sum -> sum.hash != 0 || sum.found != sum.expected).forEach(this::complain);
    }

    /** The first time, every record is held against the laws for all. */
    private void read(OffsetRange range, Consumer<CommittedRecord> reader) {
      if (number == 0) {
        reading.readLedgerTopic(range, reader);
      } else {
        reading.readAgain(range, reader);
      }
    }

    private Consumer<CommittedRecord> in(Consumer<CommittedRecord> reader) {
      return row -> {
        if (row.timestamp() > after) {
          reader.accept(row);
        }
      };
    }

    private boolean has(String list) {
      return Math.floorMod(list.hashCode(), slices) == number;
    }

    private void expect(CommittedRecord row) {
      if (!(row.value() instanceof RankingChange change) || !has(change.getId())) {
        return;
      }
      var name = new RankingRevision(change.getId(), change.getGeneration().toEpochMilli(), change.getRevision());
      newest.put(change.getId(), name);
      if (change.getOrder() != null) {
        listings(change, change.getOrder()).forEach(hash -> {
          var sum = sums.computeIfAbsent(name, any -> new ListingSum(row.position()));
          sum.expected++;
          sum.hash += hash;
        });
      }
    }

    private Stream<Long> listings(RankingChange change, RankingOrderChange order) {
      return Stream.of(
          order.getEntered().stream().map(each -> hash(change, "entered", each.getPool(), each.getRank(), null)),
          order.getExited().stream().map(each -> hash(change, "exited", each.getPool(), null, each.getRankBefore())),
          order.getMoved().stream()
              .map(each -> hash(change, "moved", each.getPool(), each.getRank(), each.getRankBefore())))
          .flatMap(all -> all);
    }

    private void find(CommittedRecord row) {
      if (!(row.value() instanceof PoolListing listing) || !has(listing.getList())) {
        return;
      }
      var name = new RankingRevision(listing.getList(), listing.getGeneration().toEpochMilli(), listing.getRevision());
      var sum = sums.get(name);
      if (sum != null) {
        sum.found++;
        sum.hash -= hash(row, listing);
      } else if (!name.after(newest.get(listing.getList()))) {
        report.add(Law.LISTINGS, row.position(), "list and revision", "a change of the ranking that says so", name);
      }
    }

    private void complain(ListingSum sum) {
      report.add(Law.LISTINGS, sum.place, "pool.listing", sum.expected + " records that say the same",
          sum.found + (sum.found == sum.expected ? " that say something else" : ""));
    }
  }

  private static long hash(
      RankingChange change, String action, String pool, @Nullable Integer rank, @Nullable Integer before) {
    return ValueHash.of(Arrays.asList(pool, pool, action, rank, before, change.getKind(), change.getNetwork(),
        change.getDuration(), change.getOrder() == null ? 0 : change.getOrder().getSize(), change.getOrigin()));
  }

  private static long hash(CommittedRecord row, PoolListing listing) {
    return ValueHash.of(Arrays.asList(row.keyText(), listing.getPool(), listing.getAction(), listing.getRank(),
        listing.getRankBefore(), listing.getKind(), listing.getNetwork(), listing.getDuration(), listing.getSize(),
        listing.getOrigin()));
  }
}
