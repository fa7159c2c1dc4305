package io.tidemark.feed;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A parameter in the query string of a feed. */
public enum FeedParameter {
  TOPIC("A topic, with its prefix or without it; several: all of them as one stream. For `/v1/feeds` only.", true),
  KEY("Records of this key; several of them: of any.", true),
  NETWORK("Records whose `network` is this; for topics that have the attribute.", false),
  FACET("Changes in which this facet changed (or `appeared`, `visibility`, `removed`); several: any.", true),
  WHERE("Records for which this CEL condition is true.", false),
  FROM("Where it starts: `now` (the default), `beginning`, a time such as `2026-03-10T12:00:00Z`, or how long ago, such"
      + " as `24h`.", false),
  SOURCE("The source, where the path names none; the first one if it is left out.", false),
  LAST_EVENT_ID("Where a reader goes on that cannot send the header `Last-Event-ID`.", false);

  private final String description;
  private final boolean isRepeatable;

  FeedParameter(String description, boolean isRepeatable) {
    this.description = description;
    this.isRepeatable = isRepeatable;
  }

  /** The name in a URL. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it does, for people, in Markdown. */
  public String description() {
    return description;
  }

  /** Whether it can be of one topic alone, with the name of the topic behind a dot. */
  public boolean isOfTopic() {
    return this != TOPIC && this != SOURCE && this != LAST_EVENT_ID;
  }

  /** Whether it can occur several times. */
  public boolean isRepeatable() {
    return isRepeatable;
  }

  /** The parameter of a name; null where there is none. */
  static @Nullable FeedParameter of(String wire) {
    return Arrays.stream(values()).filter(each -> each.wire().equals(wire)).findFirst().orElse(null);
  }
}
