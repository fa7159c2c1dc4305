package io.tidemark.market;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * A resource as one answer shows it. It distinguishes an attribute that the answer lacks from an attribute that is
 * explicitly null in the answer.
 *
 * @param resource the identity, and the attributes in the answer. The answer lacked an attribute that is null here,
 *     unless {@code nulls} contains the attribute's path
 * @param nulls paths of the attributes that are explicitly null in the answer. A path consists of names in the schemas
 *     and begins with the facet: {@code valuation.market_cap_usd}, {@code activity.transactions.m5.buys}, {@code
 *     activity.volume_usd} (the whole object)
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
