package io.tidemark.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.capture.poll.PlanLimits;
import io.tidemark.capture.poll.ScheduleForecast;
import io.tidemark.capture.poll.ScheduleForecast.TargetForecast;
import io.tidemark.cli.print.ColumnTable;
import io.tidemark.cli.print.Terminal;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Prints plans, for people and for programs. */
public final class PlanPrinter {

  private static final double NOTABLE = 100;
  /**
   * Minimum number of resources watched one by one for which advice on lists is printed. One page of a list shows as
   * many.
   */
  private static final int MANY = 20;
  /** Maximum number of targets in the table for people. */
  private static final int MOST_ROWS = 60;

  private PlanPrinter() {}

  /** Returns the table of targets of one source, and sentences with the totals of the source. */
  public static List<String> lines(SourcePlan plan, Terminal terminal) {
    var settings = plan.settings();
    var forecast = plan.forecast();
    var lines = new ArrayList<String>();
    lines.add("source %s: %s a minute, %s a month%s".formatted(settings.name(),
        count(settings.limits().perMinute()), count(settings.limits().perMonth()), share(settings.limits())));
    lines.add("");
    lines.addAll(table(forecast).lines(terminal));
    lines.add("");
    lines.addAll(terminal.wrapped(budget(plan)));
    var share = forecast.newPools();
    if (share != null) {
      lines.addAll(terminal.wrapped("New pools: about %s of them are observed, if %s an hour are created.".formatted(
          percent(share), assumed(plan))));
    }
    coverage(plan).forEach(line -> lines.addAll(terminal.wrapped(line)));
    var problem = plan.problem();
    if (problem != null) {
      lines.addAll(terminal.wrapped("Problem: " + problem + "."));
    }
    lines.add("");
    return lines;
  }

  /** Returns advice on lists for tokens and for pools, each only if at least {@link #MANY} are watched one by one. */
  private static List<String> coverage(SourcePlan plan) {
    return Stream.of(Operation.TOKEN, Operation.POOL).map(operation -> {
      var count = plan.settings().watch().targets().stream()
          .filter(each -> each.target().query().operation() == operation).count();
      return count < MANY ? null : ("%s %ss are watched one by one, with one call for each. One call for a page of an"
          + " exchange shows the prices of 20 pools and of their tokens. 'tidemark plan --live' prints the share of"
          + " these resources that watched lists show.").formatted(count(count), operation.wire());
    }).filter(Objects::nonNull).toList();
  }

  private static ColumnTable table(ScheduleForecast forecast) {
    var table = ColumnTable.ofFigures(
        "target", "polls/day", "staleness", "longest", "pools", "new pools", "credits/day", "credits/month");
    for (var each : forecast.targets().stream().limit(MOST_ROWS).toList()) {
      var share = each.newPools();
      table.add(shortName(each.name()), number(forecast.perDay(each.polls())), TerminalText.duration(each.staleness()),
          TerminalText.duration(each.longestGap()),
          each.pools() == 0 ? "-" : count(each.pools()),
          share == null ? "-" : percent(share), number(forecast.perDay(each.calls())),
          number(forecast.perMonth(each.calls())));
    }
    var more = forecast.targets().size() - MOST_ROWS;
    if (more > 0) {
      table.add("... and %d more, which --json shows".formatted(more), "", "", "", "", "", "", "");
    }
    var calls = forecast.targets().stream().mapToLong(TargetForecast::calls).sum();
    var polls = forecast.targets().stream().mapToLong(TargetForecast::polls).sum();
    var shown = forecast.targets().stream().mapToInt(TargetForecast::pools).sum();
    return table.add("together", number(forecast.perDay(polls)), "", "", shown == 0 ? "-" : count(shown), "",
        number(forecast.perDay(calls)), number(forecast.perMonth(calls)));
  }

  private static String budget(SourcePlan plan) {
    var forecast = plan.forecast();
    var limits = plan.settings().limits();
    var all = Math.max(0, limits.perMonth() * limits.share() - limits.spent());
    var used = Math.min(all, forecast.callsPerMonth());
    var usedUp = forecast.usedUpAfter();
    var end = usedUp == null || usedUp.compareTo(ScheduleForecast.MONTH.minusDays(1)) >= 0
        ? "they last to the last day of the month"
        : "they are used up after " + TerminalText.duration(usedUp);
    return "Credits: %s of %s a month (%s); %s. Minute: %s of %s on average.".formatted(
        number(used), number(all), percent(all == 0 ? 1 : used / all), end,
        number(used / ScheduleForecast.MONTH.toMinutes()), count((long) (limits.perMinute() * limits.share())));
  }

  private static String share(PlanLimits limits) {
    return (limits.share() < 1 ? ", of which this source may use " + percent(limits.share()) : "")
        + (limits.spent() > 0 ? ", of which others spent " + count(limits.spent()) : "");
  }

  private static String assumed(SourcePlan plan) {
    var networks = assumptions(plan);
    return String.join(", ", networks.entrySet().stream()
        .map(each -> each.getKey() + " " + number(each.getValue())).toList());
  }

  private static Map<String, Double> assumptions(SourcePlan plan) {
    var networks = new TreeMap<String, Double>();
    plan.settings().watch().targets().forEach(each -> {
      if (each.target().query() instanceof Query.NewPools list) {
        networks.put(list.network(), ScheduleForecast.assumedNewPools(list.network(), plan.newPools()));
      }
    });
    return networks;
  }

  /** Returns the plans as a JSON array, with durations in seconds. */
  static JsonNode json(List<SourcePlan> plans) {
    var all = new ObjectMapper().createArrayNode();
    plans.forEach(plan -> addTo(all.addObject(), plan));
    return all;
  }

  private static void addTo(ObjectNode node, SourcePlan plan) {
    var forecast = plan.forecast();
    var limits = plan.settings().limits();
    node.put("source", plan.settings().name()).put("per_minute", limits.perMinute()).put("per_month", limits.perMonth())
        .put("share", limits.share()).put("spent", limits.spent())
        .put("computed_seconds", forecast.length().toSeconds())
        .put("credits_per_month", Math.round(forecast.callsPerMonth()))
        .put("used_up_after_seconds", forecast.usedUpAfter() == null ? null : forecast.usedUpAfter().toSeconds())
        .put("new_pools_observed", forecast.newPools())
        .put("kept", plan.isKept()).put("problem", plan.problem());
    var assumed = node.putObject("assumed_new_pools_per_hour");
    assumptions(plan).forEach(assumed::put);
    var targets = node.putArray("targets");
    for (var each : forecast.targets()) {
      targets.addObject().put("target", each.name()).put("operation", each.operation().wire())
          .put("pools", each.pools())
          .put("polls_per_day", forecast.perDay(each.polls()))
          .put("staleness_seconds", each.staleness().toMillis() / 1000.0)
          .put("longest_gap_seconds", each.longestGap().toMillis() / 1000.0)
          .put("new_pools_observed", each.newPools()).put("credits_per_day", forecast.perDay(each.calls()))
          .put("credits_per_month", forecast.perMonth(each.calls()));
    }
  }

  /** Returns the name of a target without the parameters that every list has by default. */
  static String shortName(String target) {
    return target.replaceFirst("include=base_token,dex,quote_token&?", "").replaceFirst("[?&]$", "");
  }

  static String percent(double share) {
    return share > 0 && share < 0.1 ? String.format(Locale.ROOT, "%.1f %%", 100 * share)
        : Math.round(100 * share) + " %";
  }

  private static String number(double value) {
    return value < NOTABLE && value != Math.rint(value)
        ? String.format(Locale.ROOT, "%.1f", value)
        : count(Math.round(value));
  }

  private static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
