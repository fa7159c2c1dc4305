package io.tidemark.cli.print;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.cli.print.RecordPrinter.LineContent;
import io.tidemark.event.Appeared;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.ChangeView.ChangePart;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.Entered;
import io.tidemark.event.Moved;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Prints a change of a resource: what happened to the resource, or its attributes before and after. */
final class ChangePrinter {

  private static final double MINUTE = 60;
  private static final double HOUR = 60 * MINUTE;

  /**
   * Facets to print first. The facets of {@link #LAST} are printed last, and all other facets in between, in the order
   * of the schema.
   */
  private static final List<String> FIRST = List.of("price", "position", "liquidity", "open_interest", "funding",
      "quality", "launchpad", "market_cap", "dominance", "valuation");
  private static final List<String> LAST =
      List.of("composition", "supply", "token_price", "converted", "translation", "description", "times", "trade",
          "media", "extra");

  /**
   * Labels of the attributes that describe a resource, by the name of the attribute. Only numbers with a label are
   * printed. The name or the place of a resource may show attributes without a label.
   */
  private static final Map<String, String> ABOUT = Map.of("price_usd", "price", "reserve_usd", "reserve",
      "value_usd", "value", "last", "last price", "amount", "amount", "open_interest_btc", "open interest",
      "market_cap_usd", "market cap", "volume_usd", "volume", "size", "members");

  private ChangePrinter() {}

  /** Prints a change. Pools that a list gives only by id are printed with their names, if known. */
  static LineContent print(SpecificRecord change, PoolNames names, ZoneId zone) {
    var view = ChangeView.of(change);
    var removed = view.removed(change);
    if (removed != null) {
      return LineContent.of(print(removed));
    }
    var appeared = view.appeared(change);
    var origin = view.origin(change);
    var isFirst = origin != null && origin.getBaseline() && Objects.equals(view.revision(change), 1L);
    if (appeared != null || isFirst) {
      return appearance(view, change, appeared == null ? "there when watching began" : print(appeared), zone);
    }
    var visibility = view.visibility(change);
    return visibility == null ? moves(view, change, names, zone) : LineContent.of(print(visibility));
  }

  private static String print(Removed removed) {
    return switch (removed.getReason()) {
      case "not_found" -> "removed: the service no longer knows it";
      case "evicted" -> "removed: not visible for long";
      case "absent" -> "removed: no longer in its list";
      case String reason -> "removed: " + reason;
    };
  }

  private static String print(Visibility visibility) {
    return visibility.getVisible()
        ? "in a watched list again: updates go on"
        : "no longer in any watched list: no updates";
  }

  private static String print(Appeared appeared) {
    var age = appeared.getAgeSeconds();
    var created = age == null ? "" : ", created " + age(age) + " ago";
    return switch (appeared.getKind()) {
      case "created" -> "new" + (age == null ? " since the last poll" : created);
      case "reobserved" -> "observed again" + created;
      default -> "first observed" + (age == null ? ", time of creation unknown" : created);
    };
  }

  private static String age(double seconds) {
    return seconds < 2 * MINUTE
        ? Math.round(seconds) + " s"
        : seconds < 2 * HOUR
            ? Math.round(seconds / MINUTE) + " min"
            : seconds < 48 * HOUR ? Math.round(seconds / HOUR) + " h" : Math.round(seconds / (24 * HOUR)) + " days";
  }

  private static LineContent appearance(ChangeView view, SpecificRecord change, String first, ZoneId zone) {
    var parts = new ArrayList<>(List.of(first));
    var about = view.about(change);
    if (AvroRecords.at(about, "dex") instanceof String dex) {
      parts.add("on " + dex);
    }
    if (about != null) {
      view.aboutType().attributes().forEach(attribute -> {
        var label = ABOUT.get(attribute.name());
        var value = attribute.in(about);
        if (label != null && value != null && DecimalMath.number(value) != null) {
          parts.add(label + " " + unit(attribute.name()).format(value, zone));
        }
      });
    }
    return LineContent.of(parts);
  }

  private static FigureUnit unit(String about) {
    return about.equals("price_usd") ? FigureUnit.USD
        : about.endsWith("_usd") ? FigureUnit.USD_SUM : about.endsWith("_btc") ? FigureUnit.BTC : FigureUnit.NONE;
  }

  private static LineContent moves(ChangeView view, SpecificRecord change, PoolNames names, ZoneId zone) {
    var list = view.facet("order");
    if (list != null && list.changeIn(change) instanceof RankingOrderChange order) {
      return LineContent.of(print(order, names));
    }
    var changed = view.parts().stream().filter(part -> part.isNews(change)).sorted(byImportance()).toList();
    var moves = changed.stream().flatMap(part -> moves(part, change)).toList();
    return moves.isEmpty()
        ? LineContent.of("no facet changed (key frame)")
        : new LineContent(moves.stream().map(move -> move.print(zone)).toList(), moves.size(),
            moves.getFirst().printShort(zone));
  }

  private static Comparator<ChangePart> byImportance() {
    return Comparator.comparingInt(part -> FIRST.contains(part.name())
        ? FIRST.indexOf(part.name())
        : FIRST.size() + 1 + LAST.indexOf(part.name()));
  }

  private static Stream<AttributeMove> moves(ChangePart part, SpecificRecord change) {
    var value = (IndexedRecord) change.get(part.position());
    return part.facet() == null || value == null
        ? Stream.empty()
        : AttributeMove.of(part.facet(), value).stream();
  }

  /**
   * Prints the first pool that entered the list or, if none entered, the pool that moved farthest among those with a
   * known name, or else among all, and then counts of the other pools. If no pool entered or moved, prints only the
   * number of pools that exited.
   */
  private static List<String> print(RankingOrderChange order, PoolNames names) {
    var parts = new ArrayList<String>();
    var moved = order.getMoved().stream().max(Comparator
        .comparing((Moved each) -> names.find(each.getPool()) != null)
        .thenComparingInt(each -> Math.abs(each.getRank() - each.getRankBefore())));
    if (!order.getEntered().isEmpty()) {
      var entered = order.getEntered().getFirst();
      var name = Objects.requireNonNullElse(entered.getAbout().getName(), "");
      parts.add((name.isBlank() ? pool(entered.getPool(), names) : TerminalText.text(name))
          + " entered at rank " + entered.getRank() + " of " + order.getSize());
      addCount(parts, order.getEntered().size() - 1, "more entered");
      addExited(parts, order);
      addCount(parts, order.getMoved().size(), "changed rank");
    } else if (moved.isPresent()) {
      parts.add(pool(moved.get().getPool(), names) + " "
          + RecordTable.rankMove(moved.get().getRankBefore(), moved.get().getRank()) + " of " + order.getSize());
      addCount(parts, order.getMoved().size() - 1, "more changed rank");
      addExited(parts, order);
    } else {
      parts.add(TerminalText.counted(order.getExited().size(), "pool") + " exited, " + order.getSize()
          + " left in the list");
    }
    return parts;
  }

  private static void addExited(List<String> parts, RankingOrderChange order) {
    if (!order.getExited().isEmpty()) {
      parts.add(TerminalText.counted(order.getExited().size(), "pool") + " exited");
    }
  }

  private static String pool(String id, PoolNames names) {
    var name = names.find(id);
    return TerminalText.text(name == null ? "unnamed " + RecordTable.shortened(id) : name);
  }

  private static void addCount(List<String> counts, int count, String what) {
    if (count > 0) {
      counts.add(count + " " + what);
    }
  }

  /**
   * The names of pools, by pool id, from the newest records that had a name. A change of a list names a pool only when
   * the pool enters; later moves and exits have only the id. Not thread-safe.
   */
  static final class PoolNames {

    private static final int MOST = 20_000;

    private final Cache<String, String> names = Caffeine.newBuilder().maximumSize(MOST).build();

    void learn(@Nullable SpecificRecord value) {
      switch (value) {
        case PoolChange change -> add(change.getId(), change.getAbout().getName());
        case PoolListing listing -> add(listing.getPool(), listing.getAbout().getName());
        case RankingChange ranking when ranking.getOrder() != null ->
            ranking.getOrder().getEntered().forEach(this::add);
        case null, default -> {
          // names no pool
        }
      }
    }

    @Nullable
    String find(String id) {
      return names.getIfPresent(id);
    }

    private void add(Entered entered) {
      add(entered.getPool(), entered.getAbout().getName());
    }

    private void add(String id, @Nullable String name) {
      if (name != null && !name.isBlank()) {
        names.put(id, name);
      }
    }
  }
}
