package io.tidemark.eventlog;

import java.util.List;

/**
 * One attribute of a resource that the interface documents.
 *
 * @param name as it stands in the facet, deeper ones with dots: {@code transactions.m5.buys}
 * @param path ways to it in the JSON of the resource, each the names of members; empty where it is no member of it
 */
record Attribute(String facet, String name, Type type, List<List<String>> path) {
  /** Type of an attribute in the event log; maps are replaced whole. */
  enum Type {
    TEXT,
    DOUBLE,
    LONG,
    BOOLEAN,
    JSON,
    DOUBLES,
    TEXTS
  }

  boolean inBody() {
    return !path.isEmpty();
  }
}
