package io.tidemark.replay;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Recorded bodies of the real service, in a folder for each operation. */
public final class Recordings {
  private static final String PROPERTY = "tidemark.recordings";

  private Recordings() {}

  /** The folder; skips the test where there is none. */
  public static Path folder() {
    String folder = System.getProperty(PROPERTY, "");
    assumeTrue(
        !folder.isBlank() && Files.isDirectory(Path.of(folder)),
        "no recordings: name their folder with -D" + PROPERTY + "=..., with a folder for each operation in it");
    return Path.of(folder);
  }

  /** The bodies of an operation whose file names begin with a text, by name. */
  public static List<Path> of(String operation, String beginning) {
    try (var files = Files.list(folder().resolve(operation))) {
      return files.filter(file -> file.getFileName().toString().startsWith(beginning)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
