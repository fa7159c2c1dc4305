package io.tidemark.eventlog;

import org.jspecify.annotations.Nullable;

/**
 * Something on the tape that is not as it should be.
 *
 * @param law which law is broken, in a few words
 * @param where facet, or part of the record
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
