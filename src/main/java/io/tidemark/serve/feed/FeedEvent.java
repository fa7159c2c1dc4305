package io.tidemark.serve.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;

/** A kind of event in a feed. {@code asyncapi.yaml} describes the data of each kind. */
public enum FeedEvent {
  RECORD,
  UNREADABLE,
  CAUGHT_UP,
  GAP,
  STATUS,
  END;

  /** Returns the name of this kind in the stream. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns an event of this kind as a Server-Sent Event in UTF-8, without the line with the id. */
  public byte[] text(String json) {
    return ("event: " + wire() + "\ndata: " + json + "\n\n").getBytes(UTF_8);
  }
}
