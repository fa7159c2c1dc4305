package io.tidemark.bench.freshness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;

/**
 * A synthetic watch list: resources that change by independent Poisson processes, and the queries that show them. Rates
 * are lognormal around the median of the kind of resource. Weights have a Pareto tail and are mildly correlated with
 * the rates.
 */
record FreshnessLoad(List<WatchedResource> resources, List<CachedQuery> queries, List<Integer> cover) {

  private static final double SPREAD = 2;
  private static final double TAIL = 1.2;
  private static final double LARGEST_WEIGHT = 1000;
  private static final double CORRELATION = 0.3;
  private static final double ON_A_PAGE = 0.6;
  private static final int SMALLEST_PAGE = 2;
  private static final int LARGEST_PAGE = 20;

  /**
   * A resource that is watched.
   *
   * @param rate changes per second
   * @param typicalInterval median seconds between two changes of a resource of the same kind
   * @param counted whether answers count the changes of the resource, as answers for pools and tokens count trades
   */
  record WatchedResource(double rate, double weight, double typicalInterval, boolean counted, List<Integer> queries) {}

  /** A query whose answer the service refreshes at {@code phase + n * period}. */
  record CachedQuery(double period, double phase, List<Integer> resources) {

    /** Returns the time of the refresh that is served at the given time. */
    double refreshBefore(double time) {
      return phase + Math.floor((time - phase) / period) * period;
    }

    /** Returns the time of the first refresh that is not before the given time. */
    double refreshAfter(double time) {
      return phase + Math.ceil((time - phase) / period) * period;
    }
  }

  private record LoadKind(double part, double median, double publicPeriod, double proPeriod, boolean counted) {}

  private static final List<LoadKind> KINDS = List.of(
      new LoadKind(0.70, 300, 60, 10, true),
      new LoadKind(0.12, 300, 60, 10, true),
      new LoadKind(0.10, 60, 120, 120, false),
      new LoadKind(0.04, 20, 30, 30, false),
      new LoadKind(0.03, 3600, 300, 300, false),
      new LoadKind(0.01, 300, 300, 300, false));

  /**
   * Draws a random watch list.
   *
   * @param overlap whether pages also show most of the pools
   */
  static FreshnessLoad random(int size, boolean overlap, boolean pro, long seed) {
    var random = new Random(seed);
    var resources = new ArrayList<WatchedResource>();
    var queries = new ArrayList<CachedQuery>();
    var pools = new ArrayList<Integer>();
    for (var kind : KINDS) {
      var count = (int) Math.round(kind.part() * size);
      for (int k = 0; k < count; k++) {
        var resource = resources.size();
        var mine = new ArrayList<Integer>();
        mine.add(queries.size());
        var first = random.nextGaussian();
        var second = CORRELATION * first + Math.sqrt(1 - CORRELATION * CORRELATION) * random.nextGaussian();
        var weight = Math.min(LARGEST_WEIGHT, Math.pow(1 - cumulative(second), -1 / TAIL));
        resources.add(new WatchedResource(
            Math.exp(SPREAD * first) / kind.median(), weight, kind.median(), kind.counted(), mine));
        var period = pro ? kind.proPeriod() : kind.publicPeriod();
        queries.add(new CachedQuery(period, random.nextDouble() * period, List.of(resource)));
        if (kind.equals(KINDS.getFirst())) {
          pools.add(resource);
        }
      }
    }
    var cover = new ArrayList<Integer>();
    var paged = new HashSet<Integer>();
    if (overlap) {
      Collections.shuffle(pools, random);
      var listed = (int) (ON_A_PAGE * pools.size());
      for (int from = 0; from < listed;) {
        var to = Math.min(listed, from + random.nextInt(SMALLEST_PAGE, LARGEST_PAGE + 1));
        var page = List.copyOf(pools.subList(from, to));
        page.forEach(pool -> resources.get(pool).queries().add(queries.size()));
        paged.addAll(page);
        cover.add(queries.size());
        var period = pro ? 30.0 : 60.0;
        queries.add(new CachedQuery(period, random.nextDouble() * period, page));
        from = to;
      }
    }
    for (int resource = 0; resource < resources.size(); resource++) {
      if (!paged.contains(resource)) {
        cover.add(resource);
      }
    }
    return new FreshnessLoad(resources, queries, cover);
  }

  double totalWeight() {
    return resources.stream().mapToDouble(WatchedResource::weight).sum();
  }

  /**
   * Returns the time at which a change becomes visible: the earliest later refresh of any query that shows the
   * resource.
   */
  double visible(int resource, double change) {
    var earliest = Double.POSITIVE_INFINITY;
    for (var query : resources.get(resource).queries()) {
      earliest = Math.min(earliest, queries.get(query).refreshAfter(change));
    }
    return earliest;
  }

  /** Returns the shortest refresh period, in seconds, of the queries that show the resource. */
  double shortestPeriod(int resource) {
    return resources.get(resource).queries().stream().mapToDouble(each -> queries.get(each).period()).min()
        .orElseThrow();
  }

  /** Returns the normal distribution function (Abramowitz and Stegun 7.1.26). */
  private static double cumulative(double x) {
    var t = 1 / (1 + 0.3275911 * Math.abs(x) / Math.sqrt(2));
    var erf = 1 - t * Math.exp(-x * x / 2)
        * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return Math.clamp(0.5 * (1 + Math.signum(x) * erf), 0, 1 - 1e-9);
  }
}
