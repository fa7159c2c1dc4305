package io.tidemark.simulator.generator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A table of the world as it was made up: one row a line, cells between bars. */
public final class TextTable {
  private TextTable() {}

  public static List<List<String>> read(String name) {
    var stream = Objects.requireNonNull(TextTable.class.getResourceAsStream(name), name);
    try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      return lines.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> List.of(line.split("\\s*\\|\\s*")))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  /** Whether a cell says that there is nothing to say. */
  public static boolean blank(String cell) {
    return "-".equals(cell);
  }
}
