package io.tidemark.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** The records of all topics that a topology wrote, by topic and key, each key's in order. */
public final class RecordedOutputs {

  private static final @Nullable String DIRECTORY = System.getProperty("tidemark.outputs");

  private final Map<String, Map<String, List<String>>> topics = new TreeMap<>();

  /** Adds a record: by fingerprint in {@code alerts}, as rules on two topics have no order between them. */
  void add(String topic, @Nullable String key, @Nullable IndexedRecord value, Instant at) {
    var fingerprint = value == null || value.getSchema().getField("fingerprint") == null
        ? ""
        : " " + value.get(value.getSchema().getField("fingerprint").pos());
    topics.computeIfAbsent(topic, name -> new TreeMap<>())
        .computeIfAbsent(key + fingerprint, name -> new ArrayList<>())
        .add(at + " " + text(value));
  }

  /** A line for each topic: number of records and of keys, and a digest. */
  public List<String> digests(String name) {
    return topics.entrySet().stream().map(topic -> "%s: %s %d %d %s".formatted(name, topic.getKey(),
        topic.getValue().values().stream().mapToInt(List::size).sum(), topic.getValue().size(),
        digest(text(topic.getValue())))).toList();
  }

  /** Writes all records as text, where a directory is named. */
  public void write(String name) {
    if (DIRECTORY != null) {
      try {
        for (var topic : topics.entrySet()) {
          var file = Path.of(DIRECTORY, name, topic.getKey());
          Files.createDirectories(file.getParent());
          Files.writeString(file, text(topic.getValue()));
        }
        Files.writeString(Path.of(DIRECTORY, name + ".txt"), String.join("\n", digests(name)) + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static String text(Map<String, List<String>> keys) {
    return keys.entrySet().stream()
        .flatMap(key -> key.getValue().stream().map(record -> key.getKey() + ": " + record + "\n"))
        .collect(Collectors.joining());
  }

  /** All values with their names; entries of maps by key. */
  private static String text(@Nullable Object value) {
    return switch (value) {
      case IndexedRecord record -> record.getSchema().getFields().stream()
          .map(field -> field.name() + "=" + text(record.get(field.pos())))
          .collect(Collectors.joining(", ", "{", "}"));
      case Map<?, ?> map -> new TreeMap<>(map).entrySet().stream()
          .map(entry -> entry.getKey() + "=" + text(entry.getValue()))
          .collect(Collectors.joining(", ", "[", "]"));
      case List<?> list -> list.stream().map(RecordedOutputs::text).collect(Collectors.joining(", ", "[", "]"));
      case null, default -> String.valueOf(value);
    };
  }

  private static String digest(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
