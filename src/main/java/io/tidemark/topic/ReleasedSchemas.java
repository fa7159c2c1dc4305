package io.tidemark.topic;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.avro.Schema;

/** Value schemas of earlier releases: one line of JSON each, oldest first, in the resource beside this class. */
final class ReleasedSchemas {

  private static final String RESOURCE = "released-schemas.jsonl";

  private ReleasedSchemas() {}

  static List<Schema> read() {
    try (var stream = ReleasedSchemas.class.getResourceAsStream(RESOURCE)) {
      if (stream == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the program");
      }
      return read(new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every line is parsed on its own: each is a whole schema. */
  static List<Schema> read(BufferedReader lines) {
    return lines.lines().filter(line -> !line.isBlank()).map(line -> new Schema.Parser().parse(line)).toList();
  }
}
