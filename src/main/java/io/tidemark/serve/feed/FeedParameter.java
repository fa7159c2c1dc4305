package io.tidemark.serve.feed;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A parameter in the query string of a feed. {@code openapi.yaml} describes each. */
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

  /** Returns the name used in a URL. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether it can be set for a single topic, by a dot and the topic's name after the parameter's. */
  public boolean isOfTopic() {
    return switch (this) {
      case KEY, NETWORK, FACET, WHERE, FROM -> true;
      case TOPIC, STATUS, SOURCE, LAST_EVENT_ID -> false;
    };
  }

  /** Returns the parameter with this name, or null if there is none. */
  static @Nullable FeedParameter of(String wire) {
    return Arrays.stream(values()).filter(each -> each.wire().equals(wire)).findFirst().orElse(null);
  }
}
