package io.tidemark.stream.alert;

import io.tidemark.event.Control;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of the rule sets that control records announce. The text of each rule set is compiled once for all tasks of
 * the process, in a separate thread. Compilation begins when the rules are announced, before they come into force. So a
 * task that needs the rules waits at most for the rest of the compilation.
 */
public final class RuleSetCache {

  private static final Logger LOG = LoggerFactory.getLogger(RuleSetCache.class);
  private static final int MAX_SIZE = 8;

  private final Function<String, RuleSet> compiler;
  private final @Nullable String override;
  private final Map<String, CompletableFuture<RuleSet>> compiled = new ConcurrentHashMap<>();

  /**
   * @param topics schemas of the topics to which rules may apply, by topic name without prefix
   * @param override text of the rules to apply instead of the rules in control records; null to apply the rules in
   *     control records
   */
  public RuleSetCache(Map<String, Schema> topics, @Nullable String override) {
    this(text -> compile(text, topics), override);
  }

  RuleSetCache(Function<String, RuleSet> compiler, @Nullable String override) {
    this.compiler = compiler;
    this.override = override;
  }

  /** Starts to compile the rules that a control record announces. */
  @SuppressWarnings("FutureReturnValueIgnored") // a failed compilation is reported by rules(Control)
  void announce(Control control) {
    if (override == null && control.getKind().equals("rules") && control.getText() != null) {
      compiling(control.getText());
    }
  }

  /**
   * Returns the rules of a control record, or the rules that override them, and waits for their compilation if
   * necessary.
   *
   * @param control the control record with the rules in force; null if there are no rules yet
   */
  RuleSet rules(@Nullable Control control) {
    var text = override != null ? override : control == null ? null : control.getText();
    return text == null ? RuleSet.EMPTY : compiling(text).join();
  }

  private CompletableFuture<RuleSet> compiling(String text) {
    if (compiled.size() > MAX_SIZE) {
      compiled.clear();
    }
    var compiling = compiled.computeIfAbsent(
        text,
        each -> CompletableFuture.supplyAsync(
            () -> compiler.apply(each), task -> Thread.ofPlatform().daemon().name("rule-compiler").start(task)));
    if (compiling.isCompletedExceptionally()) { // perhaps memory was too low: the next call tries again
      compiled.remove(text, compiling);
    }
    return compiling;
  }

  /**
   * Returns the silences of a control record, or an empty list if this version of the program cannot read them. In
   * that case, the stream application continues, and no alert is muted.
   */
  static List<Silence> silences(Control control) {
    try {
      return RuleFormat.parseSilences(Objects.requireNonNullElse(control.getText(), ""));
    } catch (RuntimeException e) {
      LOG.error("This version of Tidemark cannot read the silences in force, so no alert is silenced. Add the"
          + " silences again with `tidemark rules silence` of this version, or run the version that wrote them."
          + " Cause: {}",
          e.toString());
      return List.of();
    }
  }

  /** If this version cannot compile the rules, returns an empty set, so that no rule fires and the streams continue. */
  private static RuleSet compile(String text, Map<String, Schema> topics) {
    try {
      return RuleFormat.parse(text, topics);
    } catch (RuleException e) {
      LOG.error("This version of Tidemark cannot compile the rules in force, so no rule fires. Apply the rules again"
          + " with `tidemark rules apply` of this version, or run the version that wrote them. Cause: {}",
          e.getMessage());
      return RuleSet.EMPTY;
    }
  }
}
