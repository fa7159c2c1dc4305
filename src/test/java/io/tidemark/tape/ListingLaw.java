package io.tidemark.tape;

import io.tidemark.event.PoolListing;
import io.tidemark.event.RankingOrderChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The flat records of pools in lists are the rankings' changes, one for one. */
final class ListingLaw {
  private static final String LAW = "pool.listing is the rankings' changes";

  private final Consumer<Complaint> complaints;

  ListingLaw(Consumer<Complaint> complaints) {
    this.complaints = complaints;
  }

  void check(List<Change> rankings, Tape tape) {
    Map<String, List<String>> expected = new HashMap<>();
    rankings.forEach(change -> expected.put(name(change.key(), change.revision()), rows(change)));
    Map<String, List<String>> found = new HashMap<>();
    tape.in(tape.topics().poolListing()).forEach(entry -> {
      var listing = (PoolListing) Objects.requireNonNull(entry.value());
      found.computeIfAbsent(name(listing.getList(), listing.getRevision()), any -> new ArrayList<>())
          .add(row(entry.key().equals(listing.getPool()), listing));
    });
    for (Change change : rankings) {
      List<String> wanted = expected.getOrDefault(name(change.key(), change.revision()), List.of());
      List<String> is = sorted(found.remove(name(change.key(), change.revision())));
      if (!sorted(wanted).equals(is)) {
        complaints.accept(change.complaint(LAW, "listings", sorted(wanted), is));
      }
    }
    found.forEach((name, rows) ->
        complaints.accept(new Complaint(LAW, "pool.listing", name, 0, "listings", "a change of the ranking", rows)));
  }

  private static List<String> sorted(@Nullable List<String> rows) {
    return rows == null ? List.of() : rows.stream().sorted().toList();
  }

  private static String name(String list, long revision) {
    return list + "@" + revision;
  }

  private static List<String> rows(Change change) {
    var rows = new ArrayList<String>();
    if (change.part(Ranks.ORDER) instanceof RankingOrderChange order) {
      String end = end(order.getSize(), change.life(), change.origin());
      order.getEntered().forEach(each -> rows.add(row(each.getPool(), "entered", each.getRank(), null) + end));
      order.getLeft().forEach(each -> rows.add(row(each.getPool(), "left", null, each.getRankBefore()) + end));
      order.getMoved()
          .forEach(each -> rows.add(row(each.getPool(), "moved", each.getRank(), each.getRankBefore()) + end));
    }
    return rows;
  }

  private static String row(boolean keyed, PoolListing listing) {
    return (keyed ? "" : "wrong key: ")
        + row(listing.getPool(), listing.getAction(), listing.getRank(), listing.getRankBefore())
        + end(listing.getSize(), listing.getLife(), listing.getOrigin());
  }

  private static String row(String pool, String action, @Nullable Integer rank, @Nullable Integer before) {
    return "%s %s %s from %s".formatted(pool, action, rank, before);
  }

  private static String end(int size, Object life, Object origin) {
    return " of %d, life %s, %s".formatted(size, life, origin);
  }
}
