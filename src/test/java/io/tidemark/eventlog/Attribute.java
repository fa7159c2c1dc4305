package io.tidemark.eventlog;

import java.util.List;

/**
 * One attribute of a resource that the interface documents.
 *
 * @param name name in the facet, nested names with dots: {@code transactions.m5.buys}
 * @param path paths to it in the resource's JSON, each a list of member names; empty if the JSON does not contain it
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
