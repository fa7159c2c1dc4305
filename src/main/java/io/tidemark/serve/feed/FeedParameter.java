package io.tidemark.serve.feed;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A parameter in the query string of a feed. {@code openapi.yaml} describes each parameter. */
public enum FeedParameter {
  TOPIC,
  KEY,
  NETWORK,
  FACET,
  WHERE,
  FROM,
  STATUS,
  SOURCE,
  LAST_EVENT_ID;

  /** Returns the name of this parameter in a URL. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether this parameter can be set for a single topic, as in {@code from.pool.changes}. */
  public boolean isOfTopic() {
    return switch (this) {
      case KEY, NETWORK, FACET, WHERE, FROM -> true;
      case TOPIC, STATUS, SOURCE, LAST_EVENT_ID -> false;
    };
  }

  /** Returns the parameter with the given name, or null if there is none. */
  static @Nullable FeedParameter of(String wire) {
    return Arrays.stream(values()).filter(each -> each.wire().equals(wire)).findFirst().orElse(null);
  }
}
