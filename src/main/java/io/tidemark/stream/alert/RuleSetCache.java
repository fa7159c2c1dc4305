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

/** Reads what control says is in force: each text once, for all who stand on it. */
final class RuleSetCache {

  private static final Logger log = LoggerFactory.getLogger(RuleSetCache.class);
  private static final int MOST = 8;

  private final Map<String, Schema> topics;
  private final @Nullable String instead;
  private final Map<String, RuleSet> read = new ConcurrentHashMap<>();

  /**
   * @param topics that rules may be on, without prefix
   * @param instead the text of rules that are in force whatever control says; null: what control says
   */
  RuleSetCache(Map<String, Schema> topics, @Nullable String instead) {
    this.topics = topics;
    this.instead = instead;
  }

  /** @param word what control said last of rules; null where it has not said anything yet */
  RuleSet rules(@Nullable Control word) {
    var text = instead != null ? instead : word == null ? null : word.getText();
    if (text == null) {
      return RuleSet.EMPTY;
    }
    if (read.size() > MOST) {
      read.clear();
    }
    return read.computeIfAbsent(text, this::rules);
  }

  List<Silence> silences(Control word) {
    return SilenceFormat.parse(Objects.requireNonNullElse(word.getText(), ""));
  }

  /** A rule set of which this version understands nothing fires nothing: said loudly, and no reason to stand still. */
  private RuleSet rules(String text) {
    try {
      return RuleFormat.parse(text, topics);
    } catch (RuleException e) {
      log.error("The rules in force cannot be used by this version: {}", e.getMessage());
      return RuleSet.EMPTY;
    }
  }
}
