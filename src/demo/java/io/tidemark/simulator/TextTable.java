package io.tidemark.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the tables of the simulated market. A table is a resource with one row per line and vertical bars between
 * cells.
 */
final class TextTable {
  private static final String FOLDER = "/io/tidemark/simulator/";

  private TextTable() {}

  /** The cells of a row. A cell that holds only a dash has no value. */
  record TableRow(List<String> cells) {
    String text(int column) {
      return cells.get(column);
    }

    @Nullable
    String textOrNull(int column) {
      return "-".equals(text(column)) ? null : text(column);
    }

    double number(int column) {
      return Double.parseDouble(text(column));
    }

    @Nullable
    Double numberOrNull(int column) {
      return textOrNull(column) == null ? null : (Double) number(column);
    }

    @Nullable
    Long longOrNull(int column) {
      return textOrNull(column) == null ? null : Long.valueOf(text(column));
    }

    /** Returns the values in one cell, which are separated by blanks. */
    List<String> texts(int column) {
      return textOrNull(column) == null ? List.of() : List.of(text(column).split(" "));
    }
  }

  /** Returns the rows of a table. Lines that begin with # are comments. */
  static List<TableRow> read(String name) {
    try (var in = Objects.requireNonNull(TextTable.class.getResourceAsStream(FOLDER + name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> new TableRow(List.of(line.split("\\s*\\|\\s*"))))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }
}
