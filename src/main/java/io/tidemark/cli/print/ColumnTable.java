package io.tidemark.cli.print;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A table for people: the first column is aligned to the left, the others to the right, two spaces apart. */
public final class ColumnTable {

  private final List<List<String>> rows = new ArrayList<>();

  public ColumnTable(String... heads) {
    rows.add(List.of(heads));
  }

  /** Adds a row, with as many cells as the table has heads. */
  public ColumnTable add(String... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + rows.getFirst().size() + " columns");
    }
    rows.add(Stream.of(cells).map(ColumnTable::text).toList());
    return this;
  }

  private static String text(String cell) {
    return TerminalText.text(cell, 120);
  }

  /** Its lines, without spaces at their ends. */
  public List<String> lines() {
    var widths = IntStream.range(0, rows.getFirst().size())
        .map(column -> rows.stream().mapToInt(row -> TerminalText.width(row.get(column))).max().orElse(0)).toArray();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      var cell = row.get(column);
      var padding = " ".repeat(widths[column] - TerminalText.width(cell));
      line.append(column == 0 ? cell + padding : "  " + padding + cell);
    }
    return line.toString().stripTrailing();
  }
}
