package io.tidemark.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A text file that the configuration names. */
final class TextFile {

  private TextFile() {}

  /** Its text; what is wrong with it is said at the place that names it. */
  static String read(Path file, Value named) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw named.refused("cannot read " + file + ": " + e.getClass().getSimpleName());
    }
  }

  /** Its lines without comments (from # on), blank lines left out. */
  static List<String> lines(Path file, Value named) {
    return read(file, named)
        .lines()
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
