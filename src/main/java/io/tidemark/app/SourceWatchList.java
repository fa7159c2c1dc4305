package io.tidemark.app;

import io.tidemark.capture.source.SourceSettings;
import io.tidemark.capture.source.WatchedBySource;
import io.tidemark.event.Watch;
import io.tidemark.rule.RuleSet;
import io.tidemark.serve.web.CommandRoutes.WatchedSource;
import io.tidemark.serve.web.StatusReader;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The targets of a configured source: those of the configuration, and those that commands added by its status. */
record SourceWatchList(SourceSettings settings, StatusReader status) implements WatchedSource {

  private WatchedBySource watched() {
    return new WatchedBySource(settings, status.additions(), status.targetStates());
  }

  @Override
  public List<?> targets(Instant now) {
    return watched().rows(now);
  }

  @Override
  public Watch add(String target, int pages, double weight, @Nullable String length, String who, Instant now) {
    var addition = WatchedBySource.addition(settings, target, pages, weight, length, who, now);
    watched().checkAddition(addition);
    return addition;
  }

  @Override
  public Watch remove(String target, String who, Instant now) {
    return watched().remove(target, who, now);
  }

  @Override
  public List<String> uncovered(RuleSet rules, Instant now) {
    var coverage = RuleCoverage.of(watched().watchList(now), settings.limits());
    return rules.rules().stream().map(coverage::problem).filter(Objects::nonNull).toList();
  }
}
