package io.tidemark.cli;

import java.nio.charset.StandardCharsets;

/** A dead letter for people: what was asked, what is wrong with the answer, and how that begins. */
final class LetterText {

  private static final int LONGEST_TARGET = 200;
  private static final int LONGEST_REASON = 500;
  private static final int SHOWN = 300;
  /** Bytes of a character in UTF-8, at most. */
  private static final int WIDEST = 4;

  private LetterText() {}

  /** Two lines: why, and the body; a letter's place and time stand before them. */
  static String of(Letter letter) {
    var content = letter.content();
    return "%s %s page %d: %s%n         %s; %s".formatted(
        Shown.text(content.getOperation()), Shown.text(content.getTarget(), LONGEST_TARGET), content.getPage(),
        Shown.text(content.getReason(), LONGEST_REASON), size(letter), beginning(letter));
  }

  private static String size(Letter letter) {
    var content = letter.content();
    var status = content.getStatus() == null ? "no answer" : "status " + content.getStatus();
    return status + ", " + content.getLength() + " bytes" + (content.getCut() ? ", cut" : "");
  }

  private static String beginning(Letter letter) {
    var bytes = letter.bytes(SHOWN * WIDEST);
    return bytes.length == 0 ? "no body" : Shown.text(new String(bytes, StandardCharsets.UTF_8), SHOWN);
  }
}
