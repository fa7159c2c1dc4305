package io.tidemark.stream.alert;

import io.tidemark.event.Control;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.SilenceFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rule sets of control records: each text is compiled once for all tasks of the process. */
final class RuleSetCache {

  private static final Logger LOG = LoggerFactory.getLogger(RuleSetCache.class);
  private static final int MAX_SIZE = 8;

  private final Map<String, Schema> topics;
  private final @Nullable String override;
  private final Map<String, RuleSet> compiled = new ConcurrentHashMap<>();

  /**
   * @param topics that rules may be on, without prefix
   * @param override the text of rules that are in force instead of those of control; null: those of control
   */
  RuleSetCache(Map<String, Schema> topics, @Nullable String override) {
    this.topics = topics;
    this.override = override;
  }

  /** @param control with the newest rules; null where there are none yet */
  RuleSet rules(@Nullable Control control) {
    var text = override != null ? override : control == null ? null : control.getText();
    if (text == null) {
      return RuleSet.EMPTY;
    }
    if (compiled.size() > MAX_SIZE) {
      compiled.clear();
    }
    return compiled.computeIfAbsent(text, this::compile);
  }

  /** Silences that this version cannot read mute nothing: the stream application goes on without them. */
  static List<Silence> silences(Control control) {
    try {
      return SilenceFormat.parse(Objects.requireNonNullElse(control.getText(), ""));
    } catch (RuntimeException e) {
      LOG.error("This version cannot read the silences in force: none mutes an alert until others are added, with"
          + " `tidemark rules silence` or by an instance of the version that wrote them. {}", e.toString());
      return List.of();
    }
  }

  /** Rules that this version cannot compile fire nothing: the stream application goes on without them. */
  private RuleSet compile(String text) {
    try {
      return RuleFormat.parse(text, topics);
    } catch (RuleException e) {
      LOG.error("This version cannot compile the rules in force: no rule fires until others are applied, with"
          + " `tidemark rules apply` or by an instance of the version that wrote them. {}", e.getMessage());
      return RuleSet.EMPTY;
    }
  }
}
