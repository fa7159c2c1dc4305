package io.tidemark.law;

import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One attribute of one operation: a row of the table of the interface.
 *
 * @param path JSON pointer to the attribute in the body
 * @param attribute facet and attribute, in the names of the schemas
 * @param parameter the query parameter that must be set; - if none
 */
record AttributeRow(Operation operation, String resource, String path, String attribute, String kind,
    String parameter) {
  private static final List<String> WINDOWS = List.of("m5", "m15", "m30", "h1", "h6", "h24");
  private static final List<String> TIMEFRAMES = List.of("7d", "14d", "30d", "90d", "1y", "ytd");
  private static final List<String> CURRENCIES = List.of("btc", "eth", "usd");
  private static final List<String> TRADES = List.of("buys", "sells", "buyers", "sellers");
  private static final Set<String> IDENTITY = Set.of("id", "query", "operation");
  private static final Pattern COMPOUND = Pattern.compile("([WTC])\\((\\w+)\\)");
  private static final Pattern INSTANCE = Pattern.compile("(/data|/included|/tickers|/holdings)?(/\\d+)?");

  private static final List<AttributeRow> TABLE = read();

  /** Returns the rows of the table as they are in the file. */
  static List<AttributeRow> table() {
    return TABLE;
  }

  /** Returns the attributes of facets; windows, timeframes and currencies also by member. */
  static List<AttributeRow> attributes() {
    return TABLE.stream().filter(row -> !row.isIdentity()).flatMap(AttributeRow::members).toList();
  }

  static List<AttributeRow> identities() {
    return TABLE.stream().filter(AttributeRow::isIdentity).toList();
  }

  boolean isIdentity() {
    return IDENTITY.contains(kind);
  }

  boolean isObject() {
    return kind.equals("object");
  }

  boolean isMap() {
    return kind.startsWith("map(");
  }

  /** Returns whether the attribute belongs to the answer as a whole, and so to every resource in it. */
  boolean isOfTheAnswer() {
    return attribute.equals("description.coin_name");
  }

  String facet() {
    return attribute.substring(0, attribute.indexOf('.'));
  }

  /** Returns the path of the attribute within its facet. */
  String inFacet() {
    return attribute.substring(attribute.indexOf('.') + 1);
  }

  /** Returns the JSON pointer to the object of the resource. */
  String instance() {
    if (isOfTheAnswer()) {
      return "/tickers/0";
    }
    if (attribute.equals("description.dex_name")) {
      return operation == Operation.POOL ? "/data" : "/data/0";
    }
    Matcher matcher = INSTANCE.matcher(path);
    return matcher.lookingAt() ? matcher.group() : "";
  }

  /** Returns the key of the resource that has the attribute. */
  String key(JsonBody body) {
    UnaryOperator<String> text = name -> body.node(instance() + "/" + name).asText();
    return switch (resource) {
      case "global" -> "global";
      case "coin-day" -> "ethereum/2026-10-01";
      case "ticker" ->
          String.join("/", "bitcoin", text.apply("market/identifier"), text.apply("base"), text.apply("target"));
      case "derivatives-exchange" -> "binance_futures";
      case "contract" -> "binance_futures/" + text.apply("symbol");
      case "holding" -> "strategy/" + text.apply("coin_id");
      default -> text.apply("id");
    };
  }

  Query<?> question() {
    return OperationQueries.to(operation);
  }

  private Stream<AttributeRow> members() {
    if (kind.equals("trades")) {
      return members(TRADES, "i");
    }
    Matcher compound = COMPOUND.matcher(kind);
    if (!compound.matches()) {
      return Stream.of(this);
    }
    return switch (compound.group(1)) {
      case "W" -> members(WINDOWS, compound.group(2));
      case "T" -> members(TIMEFRAMES, compound.group(2));
      default -> members(CURRENCIES, compound.group(2));
    };
  }

  private Stream<AttributeRow> members(List<String> names, String memberKind) {
    var whole = new AttributeRow(operation, resource, path, attribute, "object", parameter);
    var members = names.stream().map(name -> new AttributeRow(
        operation, resource, path + "/" + name, attribute + "." + inSchema(name), memberKind, parameter));
    return Stream.concat(Stream.of(whole), members.flatMap(AttributeRow::members));
  }

  /** Returns the name in the schemas, where no name begins with a digit: 7d is d7 there. */
  private static String inSchema(String name) {
    return name.replaceFirst("^(\\d+)(\\w)$", "$2$1");
  }

  private static List<AttributeRow> read() {
    try (var in = AttributeRow.class.getResourceAsStream("/law/attributes.tsv");
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("#")).map(AttributeRow::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AttributeRow of(String line) {
    String[] cells = line.split("\t");
    return new AttributeRow(Operation.of(cells[0]), cells[1], cells[2], cells[3], cells[4], cells[5]);
  }

  @Override
  public String toString() {
    return operation.wire() + " " + resource + " " + attribute + " (" + path + ")";
  }
}
