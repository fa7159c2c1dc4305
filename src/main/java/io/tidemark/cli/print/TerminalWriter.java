package io.tidemark.cli.print;

import io.tidemark.event.SafeText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * The output of a command. Whatever is printed, names of strangers among it, reaches the terminal without controls and
 * changes of direction: they are escaped as in JSON, so that JSON stays the same value. Lines and tabs pass.
 */
public final class TerminalWriter extends PrintWriter {

  private final PrintWriter terminal;

  public TerminalWriter(PrintWriter terminal) {
    super(new EscapingWriter(terminal), true);
    this.terminal = terminal;
  }

  /** Whether the reader of the output is gone. */
  @Override
  public boolean checkError() {
    return super.checkError() || terminal.checkError();
  }

  /** Characters above U+FFFF come in one piece: printing does not take strings apart. */
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
