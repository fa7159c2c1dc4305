package io.tidemark.cli.print;

import java.nio.charset.StandardCharsets;

/** A dead letter for people: what was asked, what is wrong with the answer, and how that begins. */
public final class DeadLetterPrinter {

  private static final int LONGEST_TARGET = 200;
  private static final int LONGEST_REASON = 500;
  private static final int LONGEST_BODY = 300;
  /** Bytes of a character in UTF-8, at most. */
  private static final int WIDEST = 4;

  private DeadLetterPrinter() {}

  /** Two lines: why, and the body; a letter's place and time stand before them. */
  public static String of(StoredDeadLetter deadLetter) {
    var content = deadLetter.content();
    return "%s %s page %d: %s%n         %s; %s".formatted(
        TerminalText.text(content.getOperation()), TerminalText.text(content.getTarget(), LONGEST_TARGET),
        content.getPage(),
        TerminalText.text(content.getReason(), LONGEST_REASON), size(deadLetter), beginning(deadLetter));
  }

  private static String size(StoredDeadLetter deadLetter) {
    var content = deadLetter.content();
    var status = content.getStatus() == null ? "no answer" : "status " + content.getStatus();
    return status + ", " + content.getLength() + " bytes" + (content.getTruncated() ? ", cut" : "");
  }

  private static String beginning(StoredDeadLetter deadLetter) {
    var bytes = deadLetter.bytes(LONGEST_BODY * WIDEST);
    return bytes.length == 0 ? "no body" : TerminalText.text(new String(bytes, StandardCharsets.UTF_8), LONGEST_BODY);
  }
}
