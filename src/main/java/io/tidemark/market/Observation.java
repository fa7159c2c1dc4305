package io.tidemark.market;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * A resource as one answer shows it. An absent attribute differs from one that is null.
 *
 * @param resource identity and shown attributes; an attribute that is null here was absent from the answer unless
 *     {@code nulls} names it
 * @param nulls paths of attributes that are explicitly null, facet first, with the names in the schemas: {@code
 *     valuation.market_cap_usd}, {@code activity.transactions.m5.buys}, {@code activity.volume_usd} (the whole object)
 */
public record Observation<R extends SpecificRecord>(R resource, Set<String> nulls) {
  public Observation {
    nulls = Collections.unmodifiableSortedSet(new TreeSet<>(nulls)); // equal observations have equal texts
  }

  /** Creates an observation without explicit nulls. */
  public static <R extends SpecificRecord> Observation<R> of(R resource) {
    return new Observation<>(resource, Set.of());
  }
}
