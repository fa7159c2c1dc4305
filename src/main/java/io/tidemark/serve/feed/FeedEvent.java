package io.tidemark.serve.feed;

import java.util.Locale;

/** A kind of event in a feed. {@code asyncapi.yaml} describes the data of each kind. */
public enum FeedEvent {
  RECORD,
  UNREADABLE,
  CAUGHT_UP,
  GAP,
  STATUS,
  END;

  private final String wire = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Returns the name of this kind in the stream. */
  public String wire() {
    return wire;
  }
}
