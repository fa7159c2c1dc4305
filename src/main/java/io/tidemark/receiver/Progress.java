package io.tidemark.receiver;

import io.tidemark.event.Harmless;

/**
 * What is written down beside how far a receiver has come.
 *
 * @param deliveredAt when a message was delivered last, empty where none was
 * @param trouble what went wrong last, empty where nothing does
 */
public record Progress(String deliveredAt, String trouble) {

  private static final int LONGEST = 300;

  String text() {
    return deliveredAt + " " + Harmless.line(trouble, LONGEST);
  }

  /** What {@link #text} wrote. */
  public static Progress of(String text) {
    var space = text.indexOf(' ');
    return space < 0 ? new Progress(text, "") : new Progress(text.substring(0, space), text.substring(space + 1));
  }
}
