package io.tidemark.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.capture.poll.LiveSchedule;
import io.tidemark.capture.poll.LiveSchedule.LiveTarget;
import io.tidemark.capture.poll.Schedule.KnownTarget;
import io.tidemark.capture.poll.WatchList;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.command.ClusterOptions;
import io.tidemark.cli.print.ColumnTable;
import io.tidemark.cli.print.Terminal;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.event.Budget;
import io.tidemark.event.KeyUsage;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetRetry;
import io.tidemark.event.TargetState;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a running source, continued from the state that its owner committed.
 *
 * @param covered ids of the pools and tokens that watched lists show
 * @param rest calls of the present month that remain in the committed budget; null if no calls were ever reserved
 * @param keys usage of each key in the present month; empty if no calls were ever reserved
 */
record LivePlan(SourceSettings settings, WatchList watched, LiveSchedule schedule, Set<String> covered,
    @Nullable Long rest, List<KeyUsage> keys) {

  private static final int LONGEST_PLAN = 40;
  private static final int LONGEST_REASON = 400;

  static LivePlan read(ClusterOptions cluster, SourceSettings settings, Instant now) {
    var topics = cluster.topicsOf(settings.name());
    var watched = cluster.watched(settings).watchList(now);
    var states = cluster.newest(topics.targetState());
    var members = cluster.newest(topics.targetMembers());
    var pages = new HashMap<String, Map<Integer, List<String>>>();
    members.values().forEach(page -> pages.computeIfAbsent(page.getTarget(), any -> new TreeMap<>())
        .put(page.getPage(), page.getMembers()));
    var budget = new Budget[1];
    cluster.readAll(topics.sourceState(), record -> {
      if (record.value() instanceof SourceState state && state.getBudget().getReservedAt() != null) {
        budget[0] = state.getBudget();
      }
    });
    var before = budget[0];
    var retries = states.values().stream().filter(state -> state.getRetry() != null)
        .collect(Collectors.toMap(TargetState::getTarget, state -> Objects.requireNonNull(state.getRetry())));
    var schedule =
        LiveSchedule.of(watched, settings.limits(), before, name -> known(states.get(name), pages), retries, now);
    var present = before == null ? null : LiveSchedule.budgetAt(now, before, settings.limits());
    return new LivePlan(settings, watched, schedule, covered(states, pages),
        present == null ? null : Math.max(0, present.getPerMonth() - present.getReserved()),
        present == null ? List.of() : present.getKeys());
  }

  private static @Nullable KnownTarget known(
      @Nullable TargetState state, Map<String, Map<Integer, List<String>>> pages) {
    if (state == null || Objects.equals(state.getObservedPages(), 0)) {
      return null;
    }
    var pools = new ArrayList<String>();
    var operation = Operation.of(state.getOperation());
    if (operation.isListOfPools() || operation == Operation.POOL) {
      pages.getOrDefault(state.getTarget(), Map.of()).forEach((page, members) -> {
        if (page > 0) {
          pools.addAll(members);
        }
      });
    }
    return new KnownTarget(state.getObservedAt(), pools.stream().distinct().toList(), 0, state.getLearned());
  }

  private static Set<String> covered(
      Map<String, TargetState> states, Map<String, Map<Integer, List<String>>> pages) {
    var covered = new HashSet<String>();
    states.values().stream().filter(each -> Operation.of(each.getOperation()).isListOfPools())
        .forEach(each -> pages.getOrDefault(each.getTarget(), Map.of()).values().forEach(covered::addAll));
    return covered;
  }

  List<String> lines(Instant now, Terminal terminal) {
    var lines = new ArrayList<String>();
    lines.add("source %s, as of %s%s".formatted(settings.name(), now.truncatedTo(ChronoUnit.SECONDS),
        rest == null ? "" : "; %,d credits of the month are left".formatted(rest)));
    if (keys.size() > 1 || keys.stream().anyMatch(key -> key.getReport() != null)) {
      keys.forEach(key -> lines.addAll(terminal.wrapped(line(key, now))));
    }
    lines.add("");
    var table = ColumnTable.ofFigures(
        "target", "next poll", "staleness", "pools", "changes/h", "polls/day", "changes/credit");
    schedule.targets().forEach(each -> table.add(PlanPrinter.shortName(each.name()),
        each.nextPoll() == null ? "-" : "in " + TerminalText.duration(each.nextPoll()),
        each.observedAt() == null ? "never" : TerminalText.duration(age(each, now)),
        each.learned().pools() == 0 ? "-" : Integer.toString(each.learned().pools()),
        figure(each.learned().changesPerHour()),
        figure(each.polls()), figure(each.changesPerCall())));
    lines.addAll(table.lines(terminal));
    lines.add("");
    schedule.targets().forEach(each -> {
      if (each.retry() != null) {
        lines.addAll(terminal.wrapped(line(each, each.retry(), now)));
      }
    });
    schedule.targets().stream().filter(each -> each.reason() != null).findFirst().ifPresent(
        each -> lines.addAll(
            terminal.wrapped("Next is %s: %s.".formatted(PlanPrinter.shortName(each.name()), each.reason()))));
    coverage().forEach(line -> lines.addAll(terminal.wrapped(line)));
    return lines;
  }

  private static String line(LiveTarget target, TargetRetry retry, Instant now) {
    var until = Duration.between(now, retry.getNextAt());
    return "%s failed %s%s; next try %s; last failure: %s".formatted(PlanPrinter.shortName(target.name()),
        retry.getFailures() == 1 ? "once" : retry.getFailures() + " times in a row",
        retry.getPages() == null ? "" : " and is polled with %d pages".formatted(retry.getPages()),
        until.isPositive() ? "in " + TerminalText.duration(until) : "as soon as the budget allows",
        TerminalText.text(retry.getReason(), LONGEST_REASON));
  }

  private static String line(KeyUsage key, Instant now) {
    var report = key.getReport();
    var others = key.getOthers() == 0 ? "" : ", other programs spent %,d".formatted(key.getOthers());
    var service = report == null ? "" : ("; by the count of the service%s, %s of %s calls a month are left, with %s a"
        + " minute, as of %s ago").formatted(
            report.getPlan() == null ? "" : " (plan " + TerminalText.text(report.getPlan(), LONGEST_PLAN) + ")",
            count(report.getRemaining()), count(report.getPerMonth()), count(report.getPerMinute()),
            TerminalText.duration(Duration.between(report.getAt(), now)));
    return "key %s: status %s; %,d of %,d calls a month are left%s%s".formatted(
        key.getKey(), key.getStatus().replace('_', ' '), Math.max(0, key.getPerMonth() - key.getReserved()),
        key.getPerMonth(), others, service);
  }

  private static String count(@Nullable Long number) {
    return number == null ? "an unknown number" : "%,d".formatted(number);
  }

  /**
   * Returns lines that state which share of the tokens and pools that are watched one by one also appears in watched
   * lists.
   */
  private List<String> coverage() {
    var lines = new ArrayList<String>();
    var lists = watched.targets().stream().filter(each -> each.target().query().operation().isListOfPools()).toList();
    var pages = lists.stream().mapToInt(each -> each.target().pages()).sum();
    for (var operation : List.of(Operation.TOKEN, Operation.POOL)) {
      var ids = watched.targets().stream().map(each -> id(each.target().query(), operation)).filter(Objects::nonNull)
          .toList();
      if (!ids.isEmpty() && !lists.isEmpty()) {
        var shown = ids.stream().filter(covered::contains).count();
        lines.add(
            ("%d pages of %d lists show %d %% of the %d %ss that are watched one by one; one call for a page shows"
                + " 20 pools.")
                .formatted(pages, lists.size(), Math.round(100.0 * shown / ids.size()), ids.size(), operation.wire()));
      }
    }
    return lines;
  }

  private static @Nullable String id(Query<?> query, Operation operation) {
    return switch (query) {
      case Query.TokenByAddress token when operation == Operation.TOKEN -> token.network() + "_" + token.address();
      case Query.PoolByAddress pool when operation == Operation.POOL -> pool.network() + "_" + pool.address();
      default -> null;
    };
  }

  private static Duration age(LiveTarget target, Instant now) {
    var age = Duration.between(Objects.requireNonNull(target.observedAt()), now);
    return age.isNegative() ? Duration.ZERO : age;
  }

  private static String figure(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
  }

  /** Returns the plan as JSON for programs, with durations in seconds. */
  JsonNode json(Instant now) {
    var node = new ObjectMapper().createObjectNode().put("source", settings.name()).put("at", now.toString())
        .put("credits_left", rest);
    var byKey = node.putArray("keys");
    keys.forEach(key -> {
      var each = byKey.addObject().put("key", key.getKey()).put("status", key.getStatus())
          .put("per_minute", key.getPerMinute()).put("per_month", key.getPerMonth())
          .put("left", Math.max(0, key.getPerMonth() - key.getReserved())).put("others", key.getOthers());
      var report = key.getReport();
      if (report != null) {
        each.putObject("service").put("at", report.getAt().toString()).put("plan", report.getPlan())
            .put("per_minute", report.getPerMinute()).put("per_month", report.getPerMonth())
            .put("used", report.getUsed()).put("remaining", report.getRemaining());
      }
    });
    var targets = node.putArray("targets");
    schedule.targets().forEach(each -> {
      var target = targets.addObject().put("target", each.name())
          .put("next_poll_seconds", each.nextPoll() == null ? null : each.nextPoll().toMillis() / 1000.0)
          .put("staleness_seconds", each.observedAt() == null ? null : age(each, now).toMillis() / 1000.0)
          .put("pools", each.learned().pools()).put("changes_per_hour", each.learned().changesPerHour())
          .put("polls_per_day", each.polls())
          .put("changes_per_credit", Double.isNaN(each.changesPerCall()) ? null : each.changesPerCall())
          .put("reason", each.reason());
      var retry = each.retry();
      if (retry != null) {
        target.putObject("retry").put("failures", retry.getFailures()).put("next_at", retry.getNextAt().toString())
            .put("reason", retry.getReason()).put("looks_final", retry.getLooksFinal()).put("pages", retry.getPages());
      }
    });
    var coverage = node.putArray("coverage");
    coverage().forEach(coverage::add);
    return node;
  }
}
