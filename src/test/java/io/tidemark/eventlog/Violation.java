package io.tidemark.eventlog;

import org.jspecify.annotations.Nullable;

/**
 * A place where the event log breaks a law.
 *
 * @param law short name of the broken law
 * @param where facet or other part of the record
 */
record Violation(
    String law,
    String resource,
    String key,
    long revision,
    String where,
    @Nullable Object expected,
    @Nullable Object found) {
  @Override
  public String toString() {
    return "%s: %s %s revision %d, %s%n    expected %s%n    found    %s"
        .formatted(law, resource, key, revision, where, expected, found);
  }
}
