package io.tidemark.cli.print;

import io.tidemark.event.SafeText;
import java.io.PrintWriter;

/**
 * The output of a command. Escapes control characters and changes of direction in all printed text, since the text may
 * contain names that others chose. Uses the escapes of JSON, so that printed JSON keeps its value. Does not escape line
 * breaks and tabs.
 */
public final class TerminalWriter extends PrintWriter {

  public TerminalWriter(PrintWriter terminal) {
    super(terminal, true);
  }

  /** Escapes a text as a whole, so that no surrogate pair is split: {@link PrintWriter} passes it in one piece. */
  @Override
  public void write(String text, int from, int count) {
    var safe = SafeText.escapedLines(text.substring(from, from + count));
    super.write(safe, 0, safe.length());
  }

  @Override
  public void write(char[] characters, int from, int count) {
    write(new String(characters, from, count));
  }

  @Override
  public void write(int character) {
    write(Character.toString((char) character));
  }
}
