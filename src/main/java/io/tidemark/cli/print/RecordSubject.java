package io.tidemark.cli.print;

import io.tidemark.event.AvroRecords;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a record is about, in two words of a line.
 *
 * @param place network, market, exchange or kind of resource
 * @param name that people know it by; else its key
 */
record RecordSubject(String place, String name) {

  private static final int LONGEST_ID = 14;
  private static final int ENDS = 6;

  /** Of a change or state of a resource; of another record, its topic and key. */
  static RecordSubject of(String topic, String key, IndexedRecord value) {
    var type = value.getSchema().getName();
    var resource = AvroRecords.at(value, "known") instanceof IndexedRecord known ? known : value;
    return switch (type.replaceAll("(Change|State)$", "")) {
      case "Pool" -> new RecordSubject(text(resource, "network"), name(resource, shortened(text(resource, "address"))));
      case "Token" -> new RecordSubject(text(resource, "network"), "token " + symbol(resource));
      case "Ranking" -> new RecordSubject(Objects.requireNonNullElse(at(resource, "network"), "all"), list(resource));
      case "Global" -> new RecordSubject("global", "whole market");
      case "CoinDay" -> new RecordSubject("history", key.replace('/', ' '));
      case "Ticker" -> new RecordSubject(text(resource, "market"),
          shortened(text(resource, "base")) + "/" + shortened(text(resource, "target")));
      case "DerivativesExchange" -> new RecordSubject("exchange", name(resource, key));
      case "Contract" -> new RecordSubject(text(resource, "exchange"), text(resource, "symbol"));
      case "Treasury" -> new RecordSubject("treasury", name(resource, key));
      case "Holding" -> new RecordSubject(text(resource, "coin_id"),
          Objects.requireNonNullElse(at(resource, "about.entity_name"), text(resource, "entity")));
      case "Platform" -> new RecordSubject("platform", name(resource, key));
      default -> new RecordSubject(topic, key);
    };
  }

  /** Of a key that begins with a network, such as that of a pool, or with a place and a slash. */
  static RecordSubject ofKey(String resource, String key) {
    if (resource.equals("ticker")) {
      var parts = key.split("/", -1);
      return parts.length == 4
          ? new RecordSubject(parts[1], shortened(parts[2]) + "/" + shortened(parts[3]))
          : new RecordSubject(resource, key);
    }
    var end = key.lastIndexOf('_');
    return end < 0
        ? new RecordSubject(resource, key)
        : new RecordSubject(key.substring(0, end), shortened(key.substring(end + 1)));
  }

  /** An address by its beginning and end. */
  static String shortened(String id) {
    var address = id.substring(id.lastIndexOf('_') + 1);
    return address.length() <= LONGEST_ID
        ? address
        : address.substring(0, ENDS) + "…" + address.substring(address.length() - ENDS);
  }

  private static String name(IndexedRecord resource, String otherwise) {
    return Stream.of("about.name", "description.name")
        .map(path -> at(resource, path))
        .filter(name -> name != null && !name.isBlank())
        .map(Objects::requireNonNull)
        .findFirst()
        .orElse(otherwise);
  }

  private static String symbol(IndexedRecord resource) {
    return Stream.of("about.symbol", "description.symbol")
        .map(path -> at(resource, path))
        .filter(symbol -> symbol != null && !symbol.isBlank())
        .map(Objects::requireNonNull)
        .findFirst()
        .orElseGet(() -> name(resource, shortened(text(resource, "address"))));
  }

  /** A ranking: its kind, and what of it the place does not say. */
  private static String list(IndexedRecord resource) {
    var kind = text(resource, "kind");
    var words = Stream.of("duration", "dex", "query", "token")
        .map(field -> at(resource, field))
        .filter(Objects::nonNull)
        .map(Objects::requireNonNull)
        .map(RecordSubject::shortened)
        .collect(Collectors.joining(" "));
    return switch (kind) {
      case "new" -> "new pools";
      case "top" -> "top of " + words;
      case "dex" -> "pools on " + words;
      case "token" -> "pools of " + words;
      case "search" -> "search " + words;
      default -> kind + (words.isEmpty() ? "" : " " + words);
    };
  }

  private static @Nullable String at(IndexedRecord record, String path) {
    return AvroRecords.at(record, path) instanceof String text ? text : null;
  }

  private static String text(IndexedRecord record, String path) {
    return Objects.requireNonNullElse(at(record, path), "");
  }
}
