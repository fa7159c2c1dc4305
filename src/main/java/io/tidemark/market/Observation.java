package io.tidemark.market;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * A resource as one answer shows it. It distinguishes an attribute that the answer lacks from an attribute that is
 * explicitly null in the answer.
 *
 * @param resource the resource's identity and the attributes that the answer contains. An attribute that is null here
 *     was missing from the answer, unless {@code nulls} contains the path of the attribute or of an object around it
 * @param nulls paths of the attributes that are explicitly null in the answer, or have a value of the wrong type
 *     (which the facet {@code extra} then contains). A path consists of names in the schemas and begins with the
 *     facet, for example {@code valuation.market_cap_usd}, {@code activity.transactions.m5.buys}, or {@code
 *     activity.volume_usd} for a whole object
 */
public record Observation<R extends SpecificRecord>(R resource, Set<String> nulls) {
  public Observation {
    nulls = Collections.unmodifiableSortedSet(new TreeSet<>(nulls)); // sorted: equal observations have equal texts
  }

  /** Creates an observation without explicit nulls. */
  public static <R extends SpecificRecord> Observation<R> of(R resource) {
    return new Observation<>(resource, Set.of());
  }
}
