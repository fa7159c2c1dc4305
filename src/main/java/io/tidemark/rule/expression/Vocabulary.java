package io.tidemark.rule.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import io.tidemark.event.Attribute;
import io.tidemark.event.Attribute.RecordOf;
import io.tidemark.event.ChangeView;
import io.tidemark.event.ChangeView.ChangePart;
import io.tidemark.event.NameSuggestion;
import io.tidemark.rule.expression.Term.Accessor;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The names that expressions over the records of one schema may use.
 *
 * <p>In a change, {@code price.x} is the value after the change and {@code before.price.x} the value before the change.
 * {@code changed.price} is true if the facet {@code price} changed, and is known even if the record lacks this facet.
 * {@code price.move_percent} is a derived figure. The name of a value in the identity, {@code about}, {@code origin} or
 * {@code appeared} is the path of the value in the record. In a record that is not a change, all names are paths, and
 * {@code before.x} is the value in the previous record of the same key. A
 * decimal sent as text has the CEL type double, a time that Tidemark sets has the type timestamp, and a map has the
 * type map.
 */
public final class Vocabulary {

  /** Prefix of the boolean names that are true if a part of a change changed. */
  static final String CHANGED = "changed.";

  private static final String AFTER = "after";
  private static final String BEFORE = "before";

  private final ChangeView view;
  private final SortedMap<String, Term> terms = new TreeMap<>();

  private Vocabulary(ChangeView view) {
    this.view = view;
    addRecord("", view.attributes(), Accessor.ROOT);
    view.parts().forEach(this::addChanged);
    if (!view.isChange()) {
      List.copyOf(terms.values()).forEach(term -> terms.put(BEFORE + "." + term.name(), term.ofPrevious(BEFORE + ".")));
    }
  }

  public static Vocabulary of(Schema schema) {
    return new Vocabulary(ChangeView.of(schema));
  }

  private void addRecord(String prefix, List<Attribute> attributes, Accessor accessor) {
    attributes.forEach(attribute -> add(prefix, attribute, accessor.attribute(attribute)));
  }

  private void add(String prefix, Attribute attribute, Accessor accessor) {
    if (!(attribute.type() instanceof RecordOf record)) {
      addValue(prefix + attribute.name(), attribute, accessor);
    } else if (isFacetChange(record)) {
      addFacet(attribute.name(), record, accessor);
    } else {
      addRecord(prefix + attribute.name() + ".", record.attributes(), accessor);
    }
  }

  private static boolean isFacetChange(RecordOf record) {
    return record.schema().getField(BEFORE) != null && record.schema().getField(AFTER) != null;
  }

  private void addFacet(String facet, RecordOf change, Accessor accessor) {
    for (var attribute : change.attributes()) {
      var value = accessor.attribute(attribute);
      if (attribute.type() instanceof RecordOf record && attribute.name().equals(AFTER)) {
        addRecord(facet + ".", record.attributes(), value);
      } else if (attribute.type() instanceof RecordOf record && attribute.name().equals(BEFORE)) {
        addRecord(BEFORE + "." + facet + ".", record.attributes(), value);
      } else {
        add(facet + ".", attribute, value);
      }
    }
  }

  private void addValue(String name, Attribute attribute, Accessor accessor) {
    var term = Term.of(name, attribute, accessor);
    if (term != null) {
      terms.put(name, term);
    }
  }

  private void addChanged(ChangePart part) {
    var name = CHANGED + part.name();
    terms.put(name, new Term(name, SimpleType.BOOL, part::isNews, part::isNews, List.of(), false));
  }

  /**
   * Returns the first segment of a name, without {@code before.} or {@code changed.}: {@code price} for
   * {@code price.x}, {@code before.price.x} and {@code changed.price}.
   */
  public static String partOf(String name) {
    var begin =
        Stream.of(CHANGED, BEFORE + ".").filter(name::startsWith).mapToInt(String::length).findFirst().orElse(0);
    var end = name.indexOf('.', begin);
    return name.substring(begin, end < 0 ? name.length() : end);
  }

  /** Returns the names of all values that a single record has, sorted: all names but those of the previous record. */
  public List<String> namesWithoutPrevious() {
    return terms.values().stream().filter(term -> !term.ofPrevious()).map(Term::name).toList();
  }

  /**
   * Returns why a name cannot be read from a single record: it is unknown, or it is a value of the previous record.
   * Returns null if it can be read.
   */
  public @Nullable String problemWithoutPrevious(String path) {
    var term = term(path);
    if (term == null) {
      return unknown(path);
    }
    return term.ofPrevious() ? path + ": is a value of the previous record of the same key, which only rules know"
        : null;
  }

  /** Returns all names, each with its type described for people, such as {@code figure} or {@code list of text}. */
  public SortedMap<String, String> types() {
    var types = new TreeMap<String, String>();
    terms.forEach((name, term) -> types.put(name, describe(term.type())
        + (term.allowedTexts().isEmpty() ? "" : " (" + String.join(", ", term.allowedTexts()) + ")")));
    return types;
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

  /** Returns whether a name is in the vocabulary, or consists of the name of a map, a dot and a key. */
  public boolean contains(String path) {
    return term(path) != null;
  }

  public boolean isOfPrevious(String path) {
    var term = term(path);
    return term != null && term.ofPrevious();
  }

  /**
   * Returns the value of a name or of a key of a map in a record, as a value of CEL. Returns null if the value is
   * missing, the name is not in the vocabulary, or the value is that of the previous record.
   */
  public @Nullable Object value(String path, IndexedRecord record) {
    var term = term(path);
    return term == null || term.ofPrevious() ? null : term.accessor().in(record);
  }

  /** Returns a value as {@link #value} does, but as the record has it, such as a decimal with all its digits. */
  public @Nullable Object avroValue(String path, IndexedRecord record) {
    var term = term(path);
    return term == null || term.ofPrevious() ? null : term.avro().in(record);
  }

  /** Returns the term of a name or of a key of a map, or null if the name is not in the vocabulary. */
  @Nullable
  Term term(String path) {
    var term = terms.get(path);
    var dot = path.lastIndexOf('.');
    var map = term == null && dot > 0 ? terms.get(path.substring(0, dot)) : null;
    return map != null && map.type() instanceof MapType type
        ? new Term(path, type.valueType(), map.accessor().key(path.substring(dot + 1)),
            map.avro().key(path.substring(dot + 1)), List.of(), map.ofPrevious())
        : term;
  }

  ChangeView view() {
    return view;
  }

  SortedMap<String, Term> terms() {
    return terms;
  }

  /** Returns an error message for a name that is not in the vocabulary, with the names that may have been meant. */
  public String unknown(String path) {
    var within = terms.tailMap(path + ".");
    if (!within.isEmpty() && within.firstKey().startsWith(path + ".")) {
      return path + ": has several values; name one of them, such as " + within.firstKey();
    }
    var nearest = NameSuggestion.nearest(path, terms.keySet());
    return nearest == null
        ? path + ": unknown" + (path.contains(".") ? "" : " (put a text in quotes: \"" + path + "\")")
            + "; names begin with "
            + terms.keySet().stream().map(name -> name.split("\\.", 2)[0]).distinct().collect(Collectors.joining(", "))
        : path + ": unknown; did you mean " + nearest + "?";
  }
}
