package io.tidemark.law;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.http.wire.RecordedQuery;
import io.tidemark.market.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Recorded answers of the real service, in the folder that {@code tidemark.recordings} names. */
final class RecordedAnswers {
  private static final JsonMapper JSON = new JsonMapper();

  private RecordedAnswers() {}

  /** One body, and a query that it may have answered. */
  record Recording(Path file, String text) {
    Query<?> question() {
      try {
        return RecordedQuery.of(file, JSON.readTree(text));
      } catch (IOException e) {
        throw new UncheckedIOException(file.toString(), e);
      }
    }

    JsonBody document() {
      return JsonBody.of(text);
    }

    byte[] body() {
      return text.getBytes(UTF_8);
    }

    @Override
    public String toString() {
      return file.getParent().getFileName() + "/" + file.getFileName();
    }
  }

  static List<Recording> all() {
    try (Stream<Path> files = Files.walk(folder())) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().map(RecordedAnswers::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Recording of(String name) {
    return read(folder().resolve(name));
  }

  private static Recording read(Path file) {
    try {
      return new Recording(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder() {
    String folder = System.getProperty("tidemark.recordings", "");
    assumeFalse(folder.isBlank(), "no recordings: name their folder with -Dtidemark.recordings=...");
    return Path.of(folder);
  }
}
