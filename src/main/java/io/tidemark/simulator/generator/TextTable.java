package io.tidemark.simulator.generator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Reads the tables of the simulated market, which are resources: one row a line, cells between bars. */
public final class TextTable {
  private static final String FOLDER = "/io/tidemark/simulator/";

  private TextTable() {}

  /** Rows of a table; lines that begin with # are comments. */
  public static List<List<String>> read(String name) {
    var stream = Objects.requireNonNull(TextTable.class.getResourceAsStream(FOLDER + name), name);
    try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return lines.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> List.of(line.split("\\s*\\|\\s*")))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  /** Whether a cell holds no value. */
  public static boolean isBlank(String cell) {
    return "-".equals(cell);
  }
}
