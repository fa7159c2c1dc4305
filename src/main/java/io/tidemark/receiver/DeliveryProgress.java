package io.tidemark.receiver;

import io.tidemark.event.SafeText;

/**
 * The metadata of a receiver's committed offset.
 *
 * @param deliveredAt time of the last delivered notification; empty before the first
 * @param problem the last failure; empty after a successful delivery
 */
public record DeliveryProgress(String deliveredAt, String problem) {

  private static final int LONGEST = 300;

  String text() {
    return deliveredAt + " " + SafeText.singleLine(problem, LONGEST);
  }

  /** Parses what {@link #text} wrote. */
  public static DeliveryProgress of(String text) {
    var space = text.indexOf(' ');
    return space < 0
        ? new DeliveryProgress(text, "")
        : new DeliveryProgress(text.substring(0, space), text.substring(space + 1));
  }
}
