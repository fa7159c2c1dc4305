package io.tidemark.eventlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The attributes of each resource and their facets, read from a table that is written by hand. */
final class FacetTable {
  private static final List<String> WINDOWS = List.of("m5", "m15", "m30", "h1", "h6", "h24");
  private static final List<String> TRADES = List.of("buys", "sells", "buyers", "sellers");
  private static final List<String> CURRENCIES = List.of("btc", "eth", "usd");
  private static final Map<String, String> TIMEFRAMES = timeframes();
  private static final Map<String, List<Attribute>> TABLE = read();

  private FacetTable() {}

  /** Returns all attributes of a resource. */
  static List<Attribute> of(String resource) {
    return Objects.requireNonNull(TABLE.get(resource), resource);
  }

  static List<String> resources() {
    return List.copyOf(TABLE.keySet());
  }

  private static Map<String, List<Attribute>> read() {
    try (var in = Objects.requireNonNull(FacetTable.class.getResourceAsStream("facets.tsv"))) {
      var table = new LinkedHashMap<String, List<Attribute>>();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t"))
          .forEach(row -> rows(row).forEach(table.computeIfAbsent(row[0], any -> new ArrayList<>())::add));
      return table;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Attribute> rows(String[] row) {
    String path = row.length > 4 ? row[4] : row[2];
    String type = row[3];
    return switch (type) {
      case "W(s)" -> WINDOWS.stream().map(each -> row(row[1], row[2] + "." + each, "s", path + "." + each));
      case "W(trades)" -> WINDOWS.stream().flatMap(each -> trades(row[1], row[2] + "." + each));
      case "C(n)", "C(s)" -> CURRENCIES.stream().map(each -> row(row[1], row[2] + "." + each, type.substring(2, 3),
          path + "." + each));
      case "T(n)" -> TIMEFRAMES.entrySet().stream().map(each -> row(row[1], row[2] + "." + each.getValue(), "n",
          path + "." + each.getKey()));
      default -> Stream.of(row(row[1], row[2], type, path));
    };
  }

  private static Stream<Attribute> trades(String facet, String window) {
    return TRADES.stream().map(each -> row(facet, window + "." + each, "i", window + "." + each));
  }

  private static Attribute row(String facet, String name, String type, String path) {
    List<List<String>> ways =
        path.equals("-")
            ? List.of()
            : Arrays.stream(path.split("\\|")).map(way -> List.of(way.split("\\."))).toList();
    return new Attribute(facet, name, type(type), ways);
  }

  private static Attribute.Type type(String type) {
    return switch (type) {
      case "s" -> Attribute.Type.TEXT;
      case "n" -> Attribute.Type.DOUBLE;
      case "i" -> Attribute.Type.LONG;
      case "b" -> Attribute.Type.BOOLEAN;
      case "{n}" -> Attribute.Type.DOUBLES;
      case "{s}" -> Attribute.Type.TEXTS;
      case "json", "list" -> Attribute.Type.JSON;
      default -> throw new IllegalArgumentException(type);
    };
  }

  private static Map<String, String> timeframes() {
    var names = new LinkedHashMap<String, String>();
    List.of("7d d7", "14d d14", "30d d30", "90d d90", "1y y1", "ytd ytd")
        .forEach(pair -> names.put(pair.split(" ")[0], pair.split(" ")[1]));
    return names;
  }
}
