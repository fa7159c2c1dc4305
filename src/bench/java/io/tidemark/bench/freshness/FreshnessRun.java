package io.tidemark.bench.freshness;

import io.tidemark.bench.freshness.FreshnessLoad.CachedQuery;
import io.tidemark.capture.poll.AgeIndex;
import io.tidemark.capture.poll.AgeIndex.ResourceRow;
import io.tidemark.capture.poll.AgeIndex.TargetRow;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A run of one schedule over one load in virtual time. As the real service does, the service answers from a cache and
 * gives the age of the answer in whole seconds. Changes also happen between polls, and their ages are measured exactly.
 */
final class FreshnessRun {

  /** Fraction of the calls of a minute that may be made at once. */
  private static final double BURST = 0.01;
  /** Seconds whose budget polls at fixed intervals may use at once. */
  private static final double FIXED_BURST_SECONDS = 5;
  private static final double DAY = 86_400;

  private final FreshnessLoad load;
  private final double perMinute;
  private final double roundTrip;
  private final double warmUp;
  private final double end;
  private final Random random;
  private final double[] seen;
  private final double[] firstChange;
  private final double[] accounted;
  private double area;
  private double[] latencies = new double[1024];
  private int detections;
  private long callsMeasured;
  private long early;
  private long quiet;
  private double longestUnseen;
  private double nanosPerRefresh;

  /**
   * The measurements of a run after its warm-up.
   *
   * @param weightedAge mean weighted age of the oldest unobserved visible change, in seconds
   * @param latencyMedian median time from the refresh that showed a change to the answer, without the round trip, as a
   *     fraction of the shortest refresh period of the queries that show the resource
   * @param latencyWorst 99th percentile of the same time, as the same fraction
   * @param early fraction of the calls whose answer had nothing newer than the observations before
   * @param quiet fraction of the calls whose answer was newer than the observations before, but had no change
   * @param longestUnseen maximum time in which a resource was not observed, in seconds
   * @param nanosPerRefresh time that decisions of the production schedule took per refresh of a cache, in nanoseconds;
   *     0 for other schedules
   */
  record FreshnessResult(double weightedAge, double latencyMedian, double latencyWorst, double callsPerMinute,
      double early,
      double quiet, double longestUnseen, double nanosPerRefresh) {}

  FreshnessRun(FreshnessLoad load, double perMinute, double roundTrip, double warmUp, double measured, long seed) {
    this.load = load;
    this.perMinute = perMinute;
    this.roundTrip = roundTrip;
    this.warmUp = warmUp;
    this.end = warmUp + measured;
    this.random = new Random(seed);
    var size = load.resources().size();
    seen = new double[size];
    firstChange = new double[size];
    accounted = new double[size];
    for (int resource = 0; resource < size; resource++) {
      firstChange[resource] = later(resource, 0);
    }
  }

  /** Runs the production schedule, which learns rates and phases. */
  FreshnessResult ageIndex(double longestGap) {
    var index = new AgeIndex<>(0);
    var rows = load.resources().stream()
        .map(each -> new ResourceRow(null, each.weight(), each.typicalInterval())).toList();
    for (var query : load.queries()) {
      var target = index.add(new TargetRow(1, query.period(), 1, longestGap));
      query.resources().forEach(resource -> index.show(target, rows.get(resource), 1));
    }
    var seeded = new boolean[seen.length];
    var permitted = 0.0;
    var spacing = 60 / perMinute;
    var ahead = Math.max(0, BURST * perMinute - 1) * spacing;
    var time = 0.0;
    var nanos = 0L;
    while (time < end) {
      var started = System.nanoTime();
      var target = index.next(time);
      var at = target == null ? Math.max(index.nextRefresh(time + 1), time + 1e-3) : time;
      nanos += System.nanoTime() - started;
      if (target == null) {
        time = at;
        continue;
      }
      permitted = Math.max(permitted, time) + spacing;
      var query = load.queries().get(target.number());
      var served = time + roundTrip / 2;
      var refresh = query.refreshBefore(served);
      var resources = query.resources();
      var changed = new boolean[resources.size()];
      for (int k = 0; k < changed.length; k++) {
        changed[k] = firstChange[resources.get(k)] <= refresh;
      }
      poll(query, time);
      started = System.nanoTime();
      index.answered(target, time, time + roundTrip, Math.floor(served - refresh));
      for (int k = 0; k < changed.length; k++) {
        index.learn(target, rows.get(resources.get(k)), changed[k]);
      }
      nanos += System.nanoTime() - started;
      for (var resource : resources) {
        if (!seeded[resource] && load.resources().get(resource).counted()) {
          seeded[resource] = true;
          rows.get(resource).seedRate(poisson(load.resources().get(resource).rate() * DAY), DAY);
        }
      }
      time = Math.max(time, permitted - ahead);
    }
    nanosPerRefresh = (double) nanos / Math.max(1, index.refreshes());
    return result();
  }

  /** Runs a schedule that polls the queries of the cover in turn. A query whose answer cannot be new is skipped. */
  FreshnessResult roundRobin() {
    var last = new double[load.queries().size()];
    Arrays.fill(last, Double.NEGATIVE_INFINITY);
    var passed = 0;
    var time = 0.0;
    for (int k = 0; time < end; k++) {
      int number = load.cover().get(k % load.cover().size());
      var query = load.queries().get(number);
      if (last[number] + query.period() <= time) {
        last[number] = time;
        poll(query, time);
      } else if (++passed % load.cover().size() != 0) {
        continue;
      }
      passed = 0;
      time += 60 / perMinute;
    }
    return result();
  }

  /**
   * Runs a schedule that polls each query of the cover at a fixed interval: its refresh period, stretched by the same
   * factor for all queries until the budget suffices. Polls that are due together wait for the budget. The budget of
   * {@code FIXED_BURST_SECONDS} seconds may be used at once.
   */
  FreshnessResult fixedInterval() {
    var needed = load.cover().stream().mapToDouble(each -> 60 / load.queries().get(each).period()).sum();
    var stretch = Math.max(1, needed / perMinute);
    record Due(double time, CachedQuery query) {}
    var queue = new PriorityQueue<Due>((one, other) -> Double.compare(one.time(), other.time()));
    load.cover().forEach(each -> {
      var query = load.queries().get(each);
      queue.add(new Due(random.nextDouble() * query.period() * stretch, query));
    });
    var spacing = 60 / perMinute;
    var permitted = 0.0;
    for (var due = queue.poll(); due != null && due.time() < end; due = queue.poll()) {
      var sent = Math.max(due.time(), permitted - FIXED_BURST_SECONDS);
      permitted = Math.max(permitted, sent) + spacing;
      poll(due.query(), sent);
      queue.add(new Due(due.time() + due.query().period() * stretch, due.query()));
    }
    return result();
  }

  private void poll(CachedQuery query, double sent) {
    var refresh = query.refreshBefore(sent + roundTrip / 2);
    var received = sent + roundTrip;
    var changes = false;
    var same = true;
    for (var resource : query.resources()) {
      if (refresh <= seen[resource]) {
        continue;
      }
      same = false;
      if (sent > warmUp) {
        longestUnseen = Math.max(longestUnseen, refresh - seen[resource]);
      }
      if (firstChange[resource] <= refresh) {
        changes = true;
        detect(resource, received);
      }
      seen[resource] = refresh;
      if (firstChange[resource] <= refresh) {
        firstChange[resource] = later(resource, refresh);
      }
    }
    if (sent > warmUp) {
      callsMeasured++;
      early += same ? 1 : 0;
      quiet += !same && !changes ? 1 : 0;
    }
  }

  private void detect(int resource, double at) {
    var visible = load.visible(resource, firstChange[resource]);
    addArea(resource, visible, at);
    accounted[resource] = at;
    if (at > warmUp) {
      if (detections == latencies.length) {
        latencies = Arrays.copyOf(latencies, 2 * detections);
      }
      latencies[detections++] = Math.max(0, at - roundTrip - visible) / load.shortestPeriod(resource);
    }
  }

  private void addArea(int resource, double visible, double until) {
    var from = Math.max(visible, Math.max(warmUp, accounted[resource]));
    if (until > from) {
      area += load.resources().get(resource).weight()
          * ((until - visible) * (until - visible) - (from - visible) * (from - visible)) / 2;
    }
  }

  private FreshnessResult result() {
    for (int resource = 0; resource < seen.length; resource++) {
      if (firstChange[resource] < end) {
        addArea(resource, load.visible(resource, firstChange[resource]), end);
      }
      longestUnseen = Math.max(longestUnseen, end - seen[resource]);
    }
    var sorted = Arrays.copyOf(latencies, detections);
    Arrays.sort(sorted);
    var counted = Math.max(1, callsMeasured);
    return new FreshnessResult(area / load.totalWeight() / (end - warmUp), quantile(sorted, 0.5),
        quantile(sorted, 0.99),
        callsMeasured / (end - warmUp) * 60, (double) early / counted, (double) quiet / counted, longestUnseen,
        nanosPerRefresh);
  }

  private static double quantile(double[] sorted, double part) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, part * sorted.length)];
  }

  private double later(int resource, double from) {
    return from - Math.log(1 - random.nextDouble()) / load.resources().get(resource).rate();
  }

  private double poisson(double mean) {
    if (mean > 50) {
      return Math.max(0, Math.rint(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    var product = random.nextDouble();
    var count = 0;
    for (var limit = Math.exp(-mean); product > limit; count++) {
      product *= random.nextDouble();
    }
    return count;
  }
}
