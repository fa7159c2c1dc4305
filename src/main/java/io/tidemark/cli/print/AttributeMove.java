package io.tidemark.cli.print;

import io.tidemark.cli.print.StyledText.Style;
import io.tidemark.event.Attribute;
import io.tidemark.event.Attribute.MapOf;
import io.tidemark.event.Attribute.RecordOf;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.FacetView;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * One attribute of a facet before and after a change, with a name that people can read.
 *
 * @param before value before the change; null if not known
 * @param after value after the change; null if not known
 * @param percent the move in percent; null if it has no meaning in the unit or cannot be computed
 */
record AttributeMove(
    String name, FigureUnit unit, @Nullable Object before, @Nullable Object after, @Nullable Double percent) {

  private static final String MAIN_CURRENCY = "usd";

  /** Words of attribute names that the unit or the rest of the name already implies. */
  private static final Set<String> NEEDLESS = Set.of("usd", "btc", "in", "percentage", "timestamp", "details");

  /** Words that mark an attribute in dollars as a price if its name has one of them. All others in dollars are sums. */
  private static final Set<String> OF_PRICES = Set.of("price", "last", "average", "per");

  /** Names of the attributes in seconds since 1970 that do not have the word timestamp. */
  private static final Set<String> NAMES_OF_UNIX_TIMES = Set.of("last_traded", "updated_at");

  /** Returns the attributes of a facet that differ, in the order of the schema. */
  static List<AttributeMove> of(FacetView facet, IndexedRecord facetChange) {
    var moves = new ArrayList<AttributeMove>();
    add(facet, List.of(), facet.attributes(), facet.before(facetChange), facet.after(facetChange), moves);
    return moves;
  }

  private static void add(FacetView facet, List<String> path, List<Attribute> attributes,
      @Nullable IndexedRecord before, @Nullable IndexedRecord after, List<AttributeMove> moves) {
    for (var attribute : attributes) {
      var names = new ArrayList<>(path);
      names.add(attribute.name());
      var from = before == null ? null : attribute.in(before);
      var to = after == null ? null : attribute.in(after);
      if (attribute.type() instanceof RecordOf nested) {
        add(facet, names, nested.attributes(), (IndexedRecord) from, (IndexedRecord) to, moves);
      } else if (attribute.type() instanceof MapOf && !Objects.equals(from, to)) {
        moves.add(ofMap(facet, names, entries(from), entries(to)));
      } else if (!Objects.equals(from, to)) {
        moves.add(of(facet, names, from, to));
      }
    }
  }

  private static Map<?, ?> entries(@Nullable Object map) {
    return map instanceof Map<?, ?> entries ? entries : Map.of();
  }

  /**
   * Returns one move for a whole map: the move of the entry {@code usd} if that entry changed, else the largest move
   * among the entries, or that of a figure that is not known if no entry changed, as between no map and an empty one.
   */
  private static AttributeMove ofMap(FacetView facet, List<String> path, Map<?, ?> from, Map<?, ?> to) {
    var keys = new TreeSet<String>();
    from.keySet().forEach(key -> keys.add(key.toString()));
    to.keySet().forEach(key -> keys.add(key.toString()));
    keys.removeIf(key -> Objects.equals(from.get(key), to.get(key)));
    if (keys.contains(MAIN_CURRENCY)) {
      return ofEntry(facet, path, MAIN_CURRENCY, from, to);
    }
    return keys.stream()
        .map(key -> ofEntry(facet, path, key, from, to))
        .max(Comparator.comparingDouble(AttributeMove::size))
        .orElseGet(() -> of(facet, path, null, null));
  }

  private static AttributeMove ofEntry(
      FacetView facet, List<String> path, String key, Map<?, ?> from, Map<?, ?> to) {
    var names = new ArrayList<>(path);
    names.add(key);
    return of(facet, names, from.get(key), to.get(key));
  }

  private double size() {
    var distance = percent == null ? DecimalMath.difference(before, after) : percent;
    return distance == null ? 0 : Math.abs(distance);
  }

  private static AttributeMove of(FacetView facet, List<String> path, @Nullable Object from, @Nullable Object to) {
    var unit = unit(path);
    return new AttributeMove(label(facet, path), unit, from, to, unit.move(from, to));
  }

  private static FigureUnit unit(List<String> path) {
    var words = words(path);
    if (words.contains("percentage") || words.containsAll(List.of("funding", "rate"))) {
      return FigureUnit.PERCENT;
    }
    if (words.contains("usd")) {
      return words.stream().anyMatch(OF_PRICES::contains) ? FigureUnit.USD : FigureUnit.USD_SUM;
    }
    if (words.contains("btc")) {
      return FigureUnit.BTC;
    }
    if (words.contains("identifier") || words.contains("year")) {
      return FigureUnit.IDENTIFIER;
    }
    return words.contains("timestamp") || NAMES_OF_UNIX_TIMES.contains(path.getLast()) ? FigureUnit.TIME
        : FigureUnit.NONE;
  }

  private static List<String> words(List<String> path) {
    return path.stream().flatMap(name -> List.of(name.split("_", -1)).stream()).toList();
  }

  /**
   * Returns the label of an attribute. The label of the main price is the name of the facet or {@code last price}.
   * Other labels have the words of the attribute's path, except {@link #NEEDLESS} ones. If the attribute is the facet's
   * only one and its name does not contain the name of the facet, the name of the facet replaces the name of the
   * attribute. Time windows such as {@code 24h} come last.
   */
  private static String label(FacetView facet, List<String> path) {
    var facetName = facet.name().replace('_', ' ');
    var first = facet.attributes().getFirst();
    if (facetName.equals("price") && path.equals(List.of(first.name()))) {
      return first.name().equals("last") ? "last price" : facetName;
    }
    var words = new ArrayList<String>();
    var own = String.join(" ", words(path.subList(0, 1)));
    var isOnly = facet.attributes().size() == 1 && !own.contains(facetName);
    if (isOnly) {
      words.add(facetName);
    }
    var windows = new ArrayList<String>();
    for (var word : words(isOnly ? path.subList(1, path.size()) : path)) {
      if (word.matches("[mhdy][0-9]{1,2}")) {
        windows.add(word.substring(1) + word.charAt(0));
      } else if (!NEEDLESS.contains(word) || (isOnly && word.equals("btc"))) {
        words.add(word);
      }
    }
    words.addAll(windows);
    return words.isEmpty() ? facetName : TerminalText.text(String.join(" ", words));
  }

  /** Prints the name, both values, and the move in percent if there is one. */
  StyledText print(ZoneId zone) {
    return withMove(name + " " + values(zone));
  }

  private StyledText withMove(String values) {
    var text = StyledText.plain(values);
    var move = percent == null ? "" : FigureUnit.percent(percent);
    return move.isEmpty() ? text : text.and(move.startsWith("-") ? Style.DOWN : Style.UP, " " + move);
  }

  /**
   * Prints the name, the value after the change, and the move, for lines without room for both values. If the value
   * after the change is not known, prints as {@link #print} does.
   */
  StyledText printShort(ZoneId zone) {
    return after == null ? print(zone) : withMove(name + " " + unit.format(after, zone));
  }

  private String values(ZoneId zone) {
    if (before == null) {
      return after == null ? "not known" : unit.format(after, zone) + " (not known before)";
    }
    return after == null
        ? "no longer known, was " + unit.format(before, zone)
        : unit.formatMove(before, after, zone);
  }
}
