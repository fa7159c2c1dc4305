package io.tidemark.rule.file;

import io.tidemark.rule.Silence;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The text form of silences on the topics {@code watch} and {@code control}. */
public final class SilenceFormat {

  private SilenceFormat() {}

  /** A document of silences. The version grows with every change of the silences in force, and is 0 in a command. */
  private record Silences(long version, @Nullable List<Silence> silences) {}

  /** The part that documents of silences and documents of rules have in common. */
  private record Head(long version) {}

  /** Writes silences as YAML. */
  public static String write(long version, List<Silence> silences) {
    return RuleFormat.yaml(new Silences(version, silences));
  }

  /**
   * Reads silences that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if the text is not a document of silences
   */
  public static List<Silence> parse(String text) {
    return Objects.requireNonNullElse(RuleFormat.read(text, Silences.class, "silences").silences, List.of());
  }

  /** Returns the version of a document of silences or rules, or 0 if the version cannot be read. */
  static long version(String text) {
    try {
      return RuleFormat.read(text, Head.class, "a version").version;
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }
}
