package io.tidemark.rule.file;

import io.tidemark.rule.Silence;
import io.tidemark.yaml.YamlException;
import io.tidemark.yaml.YamlSection;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The text of silences on the topics {@code watch} and {@code control}. */
public final class SilenceFormat {

  private SilenceFormat() {}

  /** Writes silences as YAML; the version grows with every change of those in force and is 0 in a command. */
  public static String write(long version, List<Silence> silences) {
    var document = new LinkedHashMap<String, Object>();
    document.put("version", version);
    document.put("silences", silences.stream().map(SilenceFormat::fields).toList());
    return RuleFormat.yaml(document);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it did not write it
   */
  public static List<Silence> parse(String text) {
    try {
      return YamlSection.parse("silences", text, null).sections("silences").stream()
          .map(SilenceFormat::silence)
          .toList();
    } catch (YamlException | DateTimeException e) {
      throw new IllegalArgumentException("cannot be read as silences: " + e.getMessage(), e);
    }
  }

  /** The version at the head of the text of silences or rules; 0 where there is none. */
  static long version(String text) {
    try {
      var version = YamlSection.parse("version", text, null).find(RuleKey.VERSION.key());
      return version == null ? 0 : version.longInteger();
    } catch (YamlException e) {
      return 0;
    }
  }

  private static Map<String, Object> fields(Silence silence) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("id", silence.id());
    if (silence.rule() != null) {
      fields.put("rule", silence.rule());
    }
    if (silence.subject() != null) {
      fields.put("subject", silence.subject());
    }
    fields.put("labels", new TreeMap<>(silence.labels()));
    fields.put("from", silence.from().toString());
    fields.put("until", silence.until().toString());
    fields.put("who", silence.who());
    fields.put("comment", silence.comment());
    return fields;
  }

  private static Silence silence(YamlSection in) {
    var labels = new TreeMap<String, String>();
    in.section("labels").keys().forEach(name -> labels.put(name, in.section("labels").required(name).text()));
    return new Silence(
        in.required("id").text(),
        in.text("rule"),
        in.text("subject"),
        labels,
        Instant.parse(in.required("from").text()),
        Instant.parse(in.required("until").text()),
        in.required("who").text(),
        in.required("comment").text());
  }
}
