package io.tidemark.feed;

import java.util.Locale;

/** A kind of event of a feed; {@code asyncapi.yaml} describes their data. */
public enum FeedEvent {
  RECORD,
  UNREADABLE,
  CAUGHT_UP,
  GAP,
  END;

  /** The name in the stream. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
