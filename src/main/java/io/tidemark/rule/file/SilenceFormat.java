package io.tidemark.rule.file;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.tidemark.rule.Silence;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The text of silences on the topics {@code watch} and {@code control}. */
public final class SilenceFormat {

  private SilenceFormat() {}

  /** The document: the version grows with every change of the silences in force and is 0 in a command. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  private record SilencesText(long version, @Nullable List<SilenceText> silences) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @JsonIgnoreProperties(ignoreUnknown = true)
  private record SilenceText(String id, @Nullable String rule, @Nullable String subject,
      @Nullable Map<String, String> labels, String from, String until, String who, String comment) {

    static SilenceText of(Silence silence) {
      return new SilenceText(silence.id(), silence.rule(), silence.subject(), new TreeMap<>(silence.labels()),
          silence.from().toString(), silence.until().toString(), silence.who(), silence.comment());
    }

    Silence toSilence() {
      return new Silence(required("id", id), rule, subject, Objects.requireNonNullElse(labels, Map.of()),
          Instant.parse(required("from", from)), Instant.parse(required("until", until)), required("who", who),
          required("comment", comment));
    }

    private static String required(String name, @Nullable String text) {
      if (text == null) {
        throw new IllegalArgumentException(name + ": missing");
      }
      return text;
    }
  }

  /** Writes silences as YAML. */
  public static String write(long version, List<Silence> silences) {
    return RuleFormat.yaml(new SilencesText(version, silences.stream().map(SilenceText::of).toList()));
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it did not write it
   */
  public static List<Silence> parse(String text) {
    try {
      var silences = RuleFormat.read(text, SilencesText.class).silences;
      return Objects.requireNonNullElse(silences, List.<SilenceText>of()).stream().map(SilenceText::toSilence).toList();
    } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
      throw new IllegalArgumentException("cannot be read as silences: " + e.getMessage(), e);
    }
  }

  /** The version at the head of the text of silences or rules; 0 where there is none. */
  static long version(String text) {
    try {
      return RuleFormat.read(text, SilencesText.class).version;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return 0;
    }
  }
}
