package io.tidemark.rule.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.StructType;
import io.tidemark.yaml.Spelling;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The names that conditions over one kind of record may use, derived from its schema.
 *
 * <p>Of a change: {@code price.x} is the value after it, {@code before.price.x} the one before, {@code changed.price}
 * whether it changed; {@code about}, {@code origin}, {@code appeared} and identity are plain paths. Of any other
 * record, fields by their paths. Decimals sent as text are doubles, our own times are timestamps, maps are maps.
 */
public final class Vocabulary {

  private final Schema schema;
  private final SortedMap<String, Term> terms;

  private Vocabulary(Schema schema) {
    this.schema = schema;
    this.terms = Terms.of(schema);
  }

  public static Vocabulary of(Schema schema) {
    return new Vocabulary(schema);
  }

  /** All names, sorted. */
  public Set<String> names() {
    return terms.keySet();
  }

  /** All names, each with what stands there, in words: figure, text (created, found), list of (pool text, ...). */
  public SortedMap<String, String> types() {
    var types = new TreeMap<String, String>();
    terms.forEach((name, term) -> types.put(name, describe(term.type())
        + (term.allowedTexts().isEmpty() ? "" : " (" + String.join(", ", term.allowedTexts()) + ")")));
    return types;
  }

  /** Whether it has a name, also one of a key in a map. */
  public boolean contains(String path) {
    return term(path) != null;
  }

  private static String describe(CelType type) {
    return switch (type.kind()) {
      case DOUBLE -> "figure";
      case INT -> "whole number";
      case STRING -> "text";
      case BOOL -> "true or false";
      case TIMESTAMP -> "time";
      case DURATION -> "duration";
      case LIST -> "list of " + describe(((ListType) type).elemType());
      case MAP -> "map of " + describe(((MapType) type).valueType());
      case STRUCT -> ((StructType) type).fields().stream()
          .map(field -> field.name() + " " + describe(field.type()))
          .collect(Collectors.joining(", ", "(", ")"));
      default -> "value";
    };
  }

  /** The value of a name, or of a key behind the name of a map: a text, figure, time or flag; null where missing. */
  public @Nullable Object value(String path, IndexedRecord record) {
    var term = term(path);
    return term == null ? null : term.accessor().in(record);
  }

  /** What a name stands for, also a key behind the name of a map; null where there is no such name. */
  @Nullable
  Term term(String path) {
    var term = terms.get(path);
    var dot = path.lastIndexOf('.');
    var map = term == null && dot > 0 ? terms.get(path.substring(0, dot)) : null;
    return map != null && map.type() instanceof MapType type
        ? new Term(path, type.valueType(), map.accessor().key(path.substring(dot + 1)), List.of())
        : term;
  }

  Schema schema() {
    return schema;
  }

  public SortedMap<String, Term> terms() {
    return terms;
  }

  /** What is wrong with a name that is not of this vocabulary, and what to write instead. */
  public String unknown(String path) {
    var within = terms.tailMap(path + ".");
    if (!within.isEmpty() && within.firstKey().startsWith(path + ".")) {
      return path + ": has several values; name one of them, such as " + within.firstKey();
    }
    var nearest = Spelling.nearest(path, names());
    return nearest == null
        ? path + ": unknown" + (path.contains(".") ? "" : " (a text wants quotes: \"" + path + "\")")
            + "; names begin with " + beginnings()
        : path + ": unknown; did you mean " + nearest + "?";
  }

  private String beginnings() {
    return names().stream().map(name -> name.split("\\.", 2)[0]).distinct().collect(Collectors.joining(", "));
  }
}
