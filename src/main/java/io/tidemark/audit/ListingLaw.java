package io.tidemark.audit;

import io.tidemark.event.PoolListing;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
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
final class ListingLaw {

  private static final int SLICE = 400_000;

  /** Retention cuts between segments; so many offsets hold one record that is left. */
  private static final int HEAD = 1_000;

  private final Reading reading;
  private final Report report;
  private final List<Span> changes;
  private final List<Span> listings;
  private final long after;
  private final int slices;

  ListingLaw(Topics topics, Reading reading, Report report) {
    this.reading = reading;
    this.report = report;
    this.changes = reading.spans(topics.ranking().changes()).toList();
    this.listings = reading.spans(topics.poolListing()).toList();
    this.after = Stream.concat(changes.stream(), listings.stream()).mapToLong(this::cutAt).max().orElse(Long.MIN_VALUE);
    this.slices = 1 + (int) (changes.stream().mapToLong(Span::size).sum() / SLICE);
  }

  void check() {
    for (var slice = 0; slice < slices; slice++) {
      new Slice(slice).check();
    }
  }

  /** What is not later may have lost a part of its transaction to retention. */
  private long cutAt(Span span) {
    var times = new long[] {span.cut() ? Long.MAX_VALUE : Long.MIN_VALUE};
    if (span.cut()) {
      reading.again(span.first(HEAD), row -> times[0] = Math.min(times[0], row.timestamp()));
    }
    return times[0];
  }

  /** The records of one change of a ranking, summed up. */
  private static final class Sum {
    final Place place;
    int expected;
    int found;
    long print;

    Sum(Place place) {
      this.place = place;
    }
  }

  private record Name(String list, long life, long revision) {
    boolean after(@Nullable Name other) {
      return other == null || life > other.life || (life == other.life && revision > other.revision);
    }
  }

  private final class Slice {

    private final int number;
    private final Map<Name, Sum> sums = new HashMap<>();
    private final Map<String, Name> newest = new HashMap<>();

    Slice(int number) {
      this.number = number;
    }

    void check() {
      changes.forEach(span -> reading.again(span, in(this::expect)));
      listings.forEach(span -> read(span, in(this::find)));
      sums.values().stream().filter(sum -> sum.print != 0 || sum.found != sum.expected).forEach(this::complain);
    }

    /** The first time, every record is held against the laws for all. */
    private void read(Span span, Consumer<Row> reader) {
      if (number == 0) {
        reading.ledgers(span, reader);
      } else {
        reading.again(span, reader);
      }
    }

    private Consumer<Row> in(Consumer<Row> reader) {
      return row -> {
        if (row.timestamp() > after) {
          reader.accept(row);
        }
      };
    }

    private boolean has(String list) {
      return Math.floorMod(list.hashCode(), slices) == number;
    }

    private void expect(Row row) {
      if (!(row.value() instanceof RankingChange change) || !has(change.getId())) {
        return;
      }
      var name = new Name(change.getId(), change.getLife().toEpochMilli(), change.getRevision());
      newest.put(change.getId(), name);
      if (change.getOrder() != null) {
        listings(change, change.getOrder()).forEach(print -> {
          var sum = sums.computeIfAbsent(name, any -> new Sum(row.place()));
          sum.expected++;
          sum.print += print;
        });
      }
    }

    private Stream<Long> listings(RankingChange change, RankingOrderChange order) {
      return Stream.of(
          order.getEntered().stream().map(each -> print(change, "entered", each.getPool(), each.getRank(), null)),
          order.getLeft().stream().map(each -> print(change, "left", each.getPool(), null, each.getRankBefore())),
          order.getMoved().stream()
              .map(each -> print(change, "moved", each.getPool(), each.getRank(), each.getRankBefore())))
          .flatMap(all -> all);
    }

    private void find(Row row) {
      if (!(row.value() instanceof PoolListing listing) || !has(listing.getList())) {
        return;
      }
      var name = new Name(listing.getList(), listing.getLife().toEpochMilli(), listing.getRevision());
      var sum = sums.get(name);
      if (sum != null) {
        sum.found++;
        sum.print -= print(row, listing);
      } else if (!name.after(newest.get(listing.getList()))) {
        report.add(Law.LISTINGS, row.place(), "list and revision", "a change of the ranking that says so", name);
      }
    }

    private void complain(Sum sum) {
      report.add(Law.LISTINGS, sum.place, "pool.listing", sum.expected + " records that say the same",
          sum.found + (sum.found == sum.expected ? " that say something else" : ""));
    }
  }

  private static long print(
      RankingChange change, String action, String pool, @Nullable Integer rank, @Nullable Integer before) {
    return Fingerprint.of(Arrays.asList(pool, pool, action, rank, before, change.getKind(), change.getNetwork(),
        change.getDuration(), change.getOrder() == null ? 0 : change.getOrder().getSize(), change.getOrigin()));
  }

  private static long print(Row row, PoolListing listing) {
    return Fingerprint.of(Arrays.asList(row.name(), listing.getPool(), listing.getAction(), listing.getRank(),
        listing.getRankBefore(), listing.getKind(), listing.getNetwork(), listing.getDuration(), listing.getSize(),
        listing.getOrigin()));
  }
}
