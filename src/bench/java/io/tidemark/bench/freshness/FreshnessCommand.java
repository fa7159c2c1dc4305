package io.tidemark.bench.freshness;

import static java.util.Comparator.comparingDouble;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.bench.freshness.FreshnessRun.FreshnessResult;
import io.tidemark.bench.freshness.HttpFreshness.HttpFreshnessResult;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.command.OutputFormat;
import io.tidemark.cli.demo.LogLevels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command {@code bench freshness}, which measures how fresh the program's schedule keeps a watch list, compared
 * with a lower bound that holds for every schedule.
 */
@Command(
    name = "freshness",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how fresh the schedule keeps a synthetic watch list, in virtual time.",
      "Compares the weighted age of the schedule (how long the oldest change that the service shows has not been"
          + " observed) with the lower bound of all schedules that know the rates of changes, with round robin, and"
          + " with fixed intervals."
    })
public final class FreshnessCommand extends CliCommand implements Runnable {

  private static final Duration MEASURED = Duration.ofMinutes(150);
  private static final double MOST_CALLS = 20_000;
  private static final int BOUND_EVALUATIONS = 60;

  /** Ratio of upper to lower bound at which the search for a number of calls ends. */
  private static final double SEARCH_TOLERANCE = 1.01;

  @Option(names = "--n", split = ",", defaultValue = "1000", paramLabel = "RESOURCES",
      description = "Number of watched resources; several sizes separated by commas. Default: ${DEFAULT-VALUE}.")
  List<Integer> sizes = List.of();

  @Option(names = "--budget", split = ",", defaultValue = "250", paramLabel = "CALLS",
      description = "Calls made per minute; several values separated by commas. Default: ${DEFAULT-VALUE}.")
  List<Double> budgets = List.of();

  @Option(names = "--overlap", negatable = true, defaultValue = "true", fallbackValue = "true",
      description = "Whether pages also show 60 %% of the pools (the default). Otherwise each resource has one query.")
  boolean overlap;

  @Option(names = "--seeds", defaultValue = "3", paramLabel = "COUNT",
      description = "Number of random watch lists. Default: ${DEFAULT-VALUE}.")
  int seeds;

  @Option(names = "--round-trip", defaultValue = "150", paramLabel = "MILLISECONDS",
      description = "Time from request to answer. Default: ${DEFAULT-VALUE}.")
  int roundTrip;

  @Option(names = "--warm-up", defaultValue = "90", paramLabel = "MINUTES",
      description = "Time before the measurement begins; 0 measures the cold start. Default: ${DEFAULT-VALUE}.")
  int warmUp;

  @Option(names = "--measured", paramLabel = "MINUTES", description = "Length of the measurement. Default: 150.")
  @Nullable
  Integer measured;

  @Option(names = "--max-age", paramLabel = "SECONDS",
      description = "A resource not observed for longer is polled before all others. Default: none.")
  @Nullable
  Double longestGap;

  @Option(names = "--public",
      description = "Uses the refresh periods of the public plan. Default: those of the paid plans.")
  boolean publicPlan;

  @Option(names = "--equal-calls",
      description = "Also searches for the calls per minute that the other schedules need to reach the weighted age"
          + " of this schedule, and to reach the weighted age of the bound.")
  boolean equalCalls;

  @Option(names = "--http",
      description = "Measures the program over real HTTP, in real time, with two simulated markets, an embedded broker"
          + " and a consumer of the changes. One market is behind a cache that is refreshed on a schedule, the other"
          + " behind a cache refreshed by requests. Only --period, --periods, --warm-up-periods and --format have an"
          + " effect.")
  boolean http;

  @Option(names = "--period", defaultValue = "8", paramLabel = "SECONDS",
      description = "With --http: refresh period of the caches, at least 1. Default: ${DEFAULT-VALUE}.")
  double period;

  @Option(names = "--periods", defaultValue = "24", paramLabel = "COUNT",
      description = "With --http: number of measured periods. Default: ${DEFAULT-VALUE}.")
  int periods;

  @Option(names = "--warm-up-periods", defaultValue = "16", paramLabel = "COUNT",
      description = "With --http: number of periods for learning before the measurement. Default: ${DEFAULT-VALUE}.")
  int warmUpPeriods;

  @Option(names = "--format", defaultValue = "text", description = "${COMPLETION-CANDIDATES}.")
  OutputFormat format = OutputFormat.TEXT;

  /**
   * The measurement of one watch list.
   *
   * @param equal calls per minute with which round robin and fixed intervals reach the weighted age of this schedule
   * @param equalToBound calls per minute with which round robin and fixed intervals reach the weighted age of the bound
   */
  private record Measurement(int size, double budget, double bound, FreshnessResult index, FreshnessResult roundRobin,
      FreshnessResult fixed, CallsForAge equal, CallsForAge equalToBound) {
    double ratio() {
      return index.weightedAge() / bound;
    }
  }

  /**
   * The calls per minute with which round robin and fixed intervals reach an age; NaN if these calls were not searched
   * for.
   */
  private record CallsForAge(double roundRobin, double fixed) {}

  @Override
  public void run() {
    if (http) {
      measureOverHttp();
      return;
    }
    if (seeds < 1 || roundTrip < 0 || warmUp < 0 || (measured != null && measured < 1)
        || sizes.stream().anyMatch(size -> size < 20) || budgets.stream().anyMatch(budget -> !(budget > 0))) {
      throw wrongUsage("--seeds and --measured: must be at least 1; --n: must be at least 20; --budget: must be more"
          + " than 0; --round-trip and --warm-up: must not be negative");
    }
    var groups = new ArrayList<List<Measurement>>();
    if (format == OutputFormat.TEXT) {
      printHead();
    }
    for (var size : sizes) {
      for (var budget : budgets) {
        var group = LongStream.rangeClosed(1, seeds).mapToObj(seed -> measure(size, budget, seed)).toList();
        groups.add(group);
        if (format == OutputFormat.TEXT) {
          print(group);
        }
      }
    }
    if (format == OutputFormat.JSON) {
      out().println(json(groups));
    }
  }

  private void measureOverHttp() {
    if (!(period >= 1 && period <= 3600) || periods < 1 || warmUpPeriods < 0) {
      throw wrongUsage("--period: must be 1 to 3600 seconds; --periods: must be at least 1; --warm-up-periods: must not"
          + " be negative");
    }
    LogLevels.quieten(System::getenv);
    var length = Duration.ofMillis((long) (1000 * period));
    var results = new HttpFreshness(length, length.multipliedBy(warmUpPeriods), length.multipliedBy(periods)).run();
    if (format == OutputFormat.JSON) {
      var all = new ObjectMapper().createArrayNode();
      results.forEach(each -> all.addObject().put("cache", kind(each)).put("period_seconds", period)
          .put("targets", each.targets()).put("refreshes_with_changes", each.changed())
          .put("latency_p50_seconds", each.median()).put("latency_p50_periods", each.medianPart())
          .put("latency_p99_seconds", each.p99()).put("latency_p99_periods", each.p99Part())
          .put("polled_p50_seconds", each.polledMedian()).put("polled_p99_seconds", each.polledP99())
          .put("targets_learned", each.learned()).put("polls_to_learn_p50", each.toLearn())
          .put("polls_to_learn_most", each.mostToLearn())
          .put("polls", each.polls()).put("early", each.early()));
      out().println(all);
      return;
    }
    out().println("time from the refresh of the cache to the request that finds it and to the first change in a"
        + " consumer, in seconds (in brackets: in refresh periods); polls of a target until its cache is known:"
        + " median, maximum");
    out().println("cache filled  period  targets  learned    refreshes  request p50, p99  change p50     change p99"
        + "     polls  early");
    results.forEach(each -> out().println(String.format(Locale.ROOT,
        "%-12s  %4.0f s  %7d  %2d in %d, %-3d %8d  %.3f    %.3f    %.3f (%.3f)  %.3f (%.3f)  %5d  %.3f", kind(each),
        period, each.targets(), each.learned(), each.toLearn(), each.mostToLearn(), each.changed(),
        each.polledMedian(), each.polledP99(), each.median(), each.medianPart(), each.p99(), each.p99Part(),
        each.polls(), each.early())));
  }

  private static String kind(HttpFreshnessResult result) {
    return switch (result.cache()) {
      case ON_SCHEDULE -> "on schedule";
      case ON_REQUEST -> "on request";
    };
  }

  private Measurement measure(int size, double budget, long seed) {
    var load = FreshnessLoad.random(size, overlap, !publicPlan, seed);
    var index = run(load, budget, seed).ageIndex(longestGap == null ? Double.POSITIVE_INFINITY : longestGap);
    var bound = KnownRateBound.of(load, budget, BOUND_EVALUATIONS);
    return new Measurement(size, budget, bound, index, run(load, budget, seed).roundRobin(),
        run(load, budget, seed).fixedInterval(), callsFor(index.weightedAge(), load, budget, seed),
        callsFor(bound, load, budget, seed));
  }

  private CallsForAge callsFor(double age, FreshnessLoad load, double atLeast, long seed) {
    return equalCalls
        ? new CallsForAge(callsFor(age, atLeast, calls -> run(load, calls, seed).roundRobin().weightedAge()),
            callsFor(age, atLeast, calls -> run(load, calls, seed).fixedInterval().weightedAge()))
        : new CallsForAge(Double.NaN, Double.NaN);
  }

  private FreshnessRun run(FreshnessLoad load, double perMinute, long seed) {
    var minutes = measured == null ? MEASURED : Duration.ofMinutes(measured);
    return new FreshnessRun(load, perMinute, roundTrip / 1000.0, warmUp * 60.0, minutes.toSeconds(), seed);
  }

  /**
   * Returns the calls per minute with which a schedule reaches the weighted age, or infinity if 20,000 do not suffice.
   */
  private static double callsFor(double age, double atLeast, ToDoubleFunction<Double> ageOf) {
    var low = atLeast;
    var high = atLeast;
    while (ageOf.applyAsDouble(high) > age) {
      low = high;
      high *= 2;
      if (high > MOST_CALLS) {
        return Double.POSITIVE_INFINITY;
      }
    }
    while (high / low > SEARCH_TOLERANCE) {
      var middle = Math.sqrt(low * high);
      if (ageOf.applyAsDouble(middle) > age) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private void printHead() {
    out()
        .println("weighted age in seconds (in brackets: in ages of the bound); latency in refresh periods");
    out().println("resources  calls/min  bound     schedule           worst  round robin        fixed interval"
        + "     p50   p99    early  longest gap  us/refresh"
        + (equalCalls ? "  calls for the same age, and for the age of the bound (median): round robin, fixed" : ""));
    out().flush();
  }

  private void print(List<Measurement> group) {
    var first = group.getFirst();
    out().print(String.format(Locale.ROOT,
        "%9d  %9.0f  %-8.3f  %-17s  %-5.3f  %-17s  %-17s  %-5.3f %-6.3f %.3f  %9.0f s  %9.2f",
        first.size(), first.budget(), mean(group, Measurement::bound), ratio(group, m -> m.index().weightedAge()),
        group.stream().mapToDouble(Measurement::ratio).max().orElseThrow(),
        ratio(group, m -> m.roundRobin().weightedAge()), ratio(group, m -> m.fixed().weightedAge()),
        mean(group, m -> m.index().latencyMedian()), mean(group, m -> m.index().latencyWorst()),
        mean(group, m -> m.index().early()), group.stream().map(Measurement::index)
            .max(comparingDouble(FreshnessResult::longestUnseen)).orElseThrow().longestUnseen(),
        mean(group, m -> m.index().nanosPerRefresh()) / 1000));
    out().println(equalCalls ? "  %s; %s".formatted(times(group, Measurement::equal),
        times(group, Measurement::equalToBound)) : "");
    out().flush();
  }

  private static String times(List<Measurement> group, Function<Measurement, CallsForAge> calls) {
    var budget = group.getFirst().budget();
    return String.format(Locale.ROOT, "%.1f, %.1f times", median(group, m -> calls.apply(m).roundRobin()) / budget,
        median(group, m -> calls.apply(m).fixed()) / budget);
  }

  private static String ratio(List<Measurement> group, ToDoubleFunction<Measurement> age) {
    return String.format(Locale.ROOT, "%.3f (%.3f)", mean(group, age),
        mean(group, m -> age.applyAsDouble(m) / m.bound()));
  }

  private static double mean(List<Measurement> group, ToDoubleFunction<Measurement> of) {
    return group.stream().mapToDouble(of).average().orElseThrow();
  }

  /** Returns the median instead of the mean, since for some watch lists no number of calls suffices. */
  private static double median(List<Measurement> group, ToDoubleFunction<Measurement> of) {
    return group.stream().mapToDouble(of).sorted().toArray()[group.size() / 2];
  }

  private ArrayNode json(List<List<Measurement>> groups) {
    var all = new ObjectMapper().createArrayNode();
    for (var group : groups) {
      for (int seed = 1; seed <= group.size(); seed++) {
        var measurement = group.get(seed - 1);
        var node = all.addObject().put("resources", measurement.size()).put("calls_per_minute", measurement.budget())
            .put("overlap", overlap).put("seed", seed).put("round_trip_ms", roundTrip)
            .put("bound_seconds", measurement.bound()).put("ratio", measurement.ratio());
        add(node.putObject("schedule"), measurement.index());
        add(node.putObject("round_robin"), measurement.roundRobin());
        add(node.putObject("fixed_interval"), measurement.fixed());
        if (equalCalls) {
          node.put("round_robin_calls", finite(measurement.equal().roundRobin()));
          node.put("fixed_interval_calls", finite(measurement.equal().fixed()));
          node.put("round_robin_calls_for_bound", finite(measurement.equalToBound().roundRobin()));
          node.put("fixed_interval_calls_for_bound", finite(measurement.equalToBound().fixed()));
        }
      }
    }
    return all;
  }

  private static void add(ObjectNode to, FreshnessResult result) {
    to.put("weighted_age_seconds", result.weightedAge()).put("latency_p50_periods", result.latencyMedian())
        .put("latency_p99_periods", result.latencyWorst()).put("calls_per_minute", result.callsPerMinute())
        .put("early", result.early()).put("quiet", result.quiet()).put("longest_gap_seconds", result.longestUnseen())
        .put("nanos_per_refresh", result.nanosPerRefresh());
  }

  /** Returns the calls, or null if no number of calls suffices. */
  private static @Nullable Double finite(double calls) {
    return Double.isInfinite(calls) ? null : calls;
  }
}
