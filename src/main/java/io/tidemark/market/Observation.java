package io.tidemark.market;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * A resource as an answer shows it: absent is not null.
 *
 * @param resource identity and shown attributes; an attribute that is null here is absent unless {@code nulls} names it
 * @param nulls paths of attributes that are null explicitly, facet first, in the names of the schemas: {@code
 *     valuation.market_cap_usd}, {@code activity.transactions.m5.buys}, {@code activity.volume_usd} (the whole object)
 */
public record Observation<R extends SpecificRecord>(R resource, Set<String> nulls) {
  public Observation {
    nulls = Collections.unmodifiableSortedSet(new TreeSet<>(nulls)); // equal observations have equal texts
  }

  /** A resource without explicit nulls. */
  public static <R extends SpecificRecord> Observation<R> of(R resource) {
    return new Observation<>(resource, Set.of());
  }
}
