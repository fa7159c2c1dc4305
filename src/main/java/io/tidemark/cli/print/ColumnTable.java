package io.tidemark.cli.print;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table for people, with columns two spaces apart. On a terminal that is too narrow, each row takes two lines: the
 * first cell, which is a name, and below it all other cells. A name of up to 500 characters is never cut or broken,
 * so that it can be copied. Other cells are cut after 60 characters. The terminal wraps a name that is longer than
 * the line.
 */
public final class ColumnTable {

  private static final int LONGEST_CELL = 60;
  private static final int LONGEST_NAME = 500;
  private static final String INDENT = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final boolean isOfFigures;

  private ColumnTable(boolean isOfFigures, String... heads) {
    this.isOfFigures = isOfFigures;
    rows.add(List.of(heads));
  }

  /**
   * Returns a table whose first column has names, aligned to the left, and whose other columns have figures, aligned to
   * the right.
   */
  public static ColumnTable ofFigures(String... heads) {
    return new ColumnTable(true, heads);
  }

  /** Returns a table whose columns are all aligned to the left. */
  public static ColumnTable ofTexts(String... heads) {
    return new ColumnTable(false, heads);
  }

  /** Adds a row, which must have as many cells as the table has heads. */
  public ColumnTable add(String... cells) {
    rows.add(IntStream.range(0, cells.length)
        .mapToObj(column -> TerminalText.text(cells[column], column == 0 ? LONGEST_NAME : LONGEST_CELL)).toList());
    return this;
  }

  /** Returns the lines of the table, one or two for each row, without trailing spaces. */
  public List<String> lines(Terminal terminal) {
    var widths = IntStream.range(0, rows.getFirst().size())
        .map(column -> rows.stream().mapToInt(row -> TerminalText.width(row.get(column))).max().orElse(0)).toArray();
    var whole = IntStream.of(widths).sum() + 2 * (widths.length - 1);
    return whole <= terminal.columns()
        ? rows.stream().map(row -> line(row, widths, 0)).toList()
        : rows.stream().flatMap(row -> Stream.of(row.getFirst(), INDENT + line(row, widths, 1))).toList();
  }

  private String line(List<String> row, int[] widths, int first) {
    var line = new StringBuilder();
    for (int column = first; column < widths.length; column++) {
      var cell = row.get(column);
      var padding = " ".repeat(widths[column] - TerminalText.width(cell));
      line.append(column == first ? "" : "  ").append(column == 0 || !isOfFigures ? cell + padding : padding + cell);
    }
    return line.toString().stripTrailing();
  }
}
