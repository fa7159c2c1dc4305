package io.tidemark.stream.alert;

import io.tidemark.event.Evidence;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A record that a finding stands on, with the values that decided, by their path in the vocabulary of rules. */
record Proof(Evidence evidence) {

  static Proof of(String topic, PoolChange change) {
    return new Proof(new Evidence(
        topic,
        change.getId(),
        change.getLife(),
        change.getRevision(),
        change.getOrigin().getObservedAt(),
        new TreeMap<>()));
  }

  /** Life and revision are those of the ranking's change. */
  static Proof of(String topic, PoolListing listing) {
    return new Proof(new Evidence(
        topic,
        listing.getPool(),
        listing.getLife(),
        listing.getRevision(),
        listing.getOrigin().getObservedAt(),
        new TreeMap<>()));
  }

  /** Adds a value; one that is missing is left out. */
  Proof with(String path, @Nullable Object value) {
    if (value != null) {
      evidence.getValues().put(path, value.toString());
    }
    return this;
  }
}
