package io.tidemark.ledger;

/** Text of strangers, bounded and on one line, as messages and headers may show it. */
final class PrintableText {

  private PrintableText() {}

  /** At most so many characters; what steers a terminal or the direction of writing becomes a replacement mark. */
  static String of(String text, int longest) {
    var end = Math.min(text.length(), longest);
    var whole = end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    return text.substring(0, whole).replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]", "\uFFFD");
  }
}
