package io.tidemark.rule;

import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

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

  Schema schema() {
    return schema;
  }

  SortedMap<String, Term> terms() {
    return terms;
  }

  /** What is wrong with a name that is not of this vocabulary, and what to write instead. */
  String unknown(String path) {
    var within = terms.tailMap(path + ".");
    if (!within.isEmpty() && within.firstKey().startsWith(path + ".")) {
      return path + ": has several values; name one of them, such as " + within.firstKey();
    }
    var nearest = Spelling.nearest(path, names());
    return nearest == null
        ? path + ": unknown; names begin with " + beginnings()
        : path + ": unknown; did you mean " + nearest + "?";
  }

  private String beginnings() {
    return names().stream().map(name -> name.split("\\.", 2)[0]).distinct().collect(Collectors.joining(", "));
  }
}
