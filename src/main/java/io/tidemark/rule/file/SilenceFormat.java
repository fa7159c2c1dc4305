package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.tidemark.rule.Silence;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The text form of silences on the topics {@code watch} and {@code control}. */
public final class SilenceFormat {

  private SilenceFormat() {}

  /** The document of silences. Its version grows with every change of the silences in force, and is 0 in a command. */
  private record Silences(long version, @Nullable List<Silence> silences) {}

  /** The head of the text of silences or rules. */
  private record Head(long version) {}

  /** Writes silences as YAML. */
  public static String write(long version, List<Silence> silences) {
    return RuleFormat.yaml(new Silences(version, silences));
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if {@link #write} did not write the text
   */
  public static List<Silence> parse(String text) {
    try {
      return Objects.requireNonNullElse(RuleFormat.read(text, Silences.class).silences, List.of());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalArgumentException("cannot be read as silences: " + e.getMessage(), e);
    }
  }

  /** Returns the version at the head of the text of silences or rules, or 0 if there is none. */
  static long version(String text) {
    try {
      return RuleFormat.read(text, Head.class).version;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return 0;
    }
  }
}
