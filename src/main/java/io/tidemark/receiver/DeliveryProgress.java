package io.tidemark.receiver;

import io.tidemark.event.SafeText;

/**
 * What is written down beside how far a receiver has come.
 *
 * @param deliveredAt when a message was delivered last, empty where none was
 * @param problem what went wrong last, empty where nothing does
 */
public record DeliveryProgress(String deliveredAt, String problem) {

  private static final int LONGEST = 300;

  String text() {
    return deliveredAt + " " + SafeText.singleLine(problem, LONGEST);
  }

  /** What {@link #text} wrote. */
  public static DeliveryProgress of(String text) {
    var space = text.indexOf(' ');
    return space < 0 ? new DeliveryProgress(text, "")
        : new DeliveryProgress(text.substring(0, space), text.substring(space + 1));
  }
}
