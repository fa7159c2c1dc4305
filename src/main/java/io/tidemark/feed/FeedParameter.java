package io.tidemark.feed;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A parameter in the query string of a feed; {@code openapi.yaml} describes them. */
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

  /** The name in a URL. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it can be of one topic alone, with the name of the topic behind a dot. */
  public boolean isOfTopic() {
    return switch (this) {
      case KEY, NETWORK, FACET, WHERE, FROM -> true;
      case TOPIC, STATUS, SOURCE, LAST_EVENT_ID -> false;
    };
  }

  /** The parameter of a name; null where there is none. */
  static @Nullable FeedParameter of(String wire) {
    return Arrays.stream(values()).filter(each -> each.wire().equals(wire)).findFirst().orElse(null);
  }
}
