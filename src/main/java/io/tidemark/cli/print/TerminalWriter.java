package io.tidemark.cli.print;

import io.tidemark.event.SafeText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * The output of a command. Escapes control characters and changes of direction in all printed text, since the text may
 * contain names that others chose. Uses the escapes of JSON, so that printed JSON keeps its value. Does not escape line
 * breaks and tabs.
 */
public final class TerminalWriter extends PrintWriter {

  public TerminalWriter(PrintWriter terminal) {
    super(new EscapingWriter(terminal), true);
  }

  /**
   * A writer that escapes each text separately. It relies on {@link PrintWriter} to write each string in one piece, so
   * that characters above U+FFFF are not split.
   */
  private static final class EscapingWriter extends Writer {

    private final Writer out;

    EscapingWriter(Writer out) {
      this.out = out;
    }

    @Override
    public void write(char[] characters, int from, int count) throws IOException {
      out.write(SafeText.escapedLines(new String(characters, from, count)));
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
