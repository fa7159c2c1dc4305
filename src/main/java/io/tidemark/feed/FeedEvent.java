package io.tidemark.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;

/** A kind of event of a feed; {@code asyncapi.yaml} describes their data. */
public enum FeedEvent {
  RECORD,
  UNREADABLE,
  CAUGHT_UP,
  GAP,
  STATUS,
  END;

  /** The name in the stream. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** An event of this kind in the form of Server-Sent Events, without the line of the id. */
  public byte[] text(String json) {
    return ("event: " + wire() + "\ndata: " + json + "\n\n").getBytes(UTF_8);
  }
}
