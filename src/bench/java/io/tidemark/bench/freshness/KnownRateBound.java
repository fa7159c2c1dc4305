package io.tidemark.bench.freshness;

import io.tidemark.bench.freshness.FreshnessLoad.CachedQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A lower bound of the weighted age of any schedule that knows all rates of changes and times of refreshes, but learns
 * of a change only by polling. Any price of a call, and any split of the price of a page among the resources that the
 * page shows, give a bound: the costs of the cheapest separate schedules of all resources, summed, less the price of
 * the budget. The result is the largest of the bounds tried. A schedule of one resource is a cycle through the
 * refreshes of the queries that show it.
 */
final class KnownRateBound {

  private static final int ROUNDS = 12;

  private final FreshnessLoad load;
  private final double perSecond;
  private final List<Single> singles = new ArrayList<>();
  private final double[] callRate;

  private KnownRateBound(FreshnessLoad load, double perMinute) {
    this.load = load;
    this.perSecond = perMinute / 60;
    this.callRate = new double[load.queries().size()];
    for (int resource = 0; resource < load.resources().size(); resource++) {
      singles.add(new Single(resource));
    }
    splitEvenly();
  }

  /** Returns the bound in seconds. */
  static double of(FreshnessLoad load, double perMinute, int evaluations) {
    return new KnownRateBound(load, perMinute).largest(evaluations) / load.totalWeight();
  }

  private double largest(int evaluations) {
    var low = 1e-9;
    var high = 1e9;
    var best = 0.0;
    var price = 1e3;
    for (int k = 0; k < evaluations; k++) {
      best = Math.max(best, evaluate(price));
      var calls = Arrays.stream(callRate).sum();
      if (calls > perSecond) {
        low = price;
      } else {
        high = price;
      }
      improveSplit();
      if (k > 8 && high / low < 1.02) {
        // the split changed, so the best price may be outside of low and high
        low /= 1.05;
        high *= 1.05;
      }
      price = Math.sqrt(low * high);
    }
    return best;
  }

  private double evaluate(double price) {
    Arrays.fill(callRate, 0);
    var sum = 0.0;
    for (var single : singles) {
      sum += single.cheapest(price);
      for (int k = 0; k < single.queries.length; k++) {
        callRate[single.queries[k]] += single.share[k] * single.callRate[k];
      }
    }
    return sum - price * perSecond;
  }

  private void splitEvenly() {
    for (var query = 0; query < load.queries().size(); query++) {
      var shown = load.queries().get(query).resources();
      var total = shown.stream().mapToDouble(each -> desire(each)).sum();
      for (var resource : shown) {
        singles.get(resource).setShare(query, desire(resource) / total);
      }
    }
  }

  private double desire(int resource) {
    var of = load.resources().get(resource);
    return Math.sqrt(of.weight() * Math.min(1, of.rate() * 60));
  }

  /**
   * Raises the share of a page's price for each resource whose cheapest schedule polls the page more often than the
   * average over the resources of the page, and lowers the other shares.
   */
  private void improveSplit() {
    for (var query = 0; query < load.queries().size(); query++) {
      var shown = load.queries().get(query).resources();
      if (shown.size() < 2 || callRate[query] <= 0) {
        continue;
      }
      var number = query;
      var mean = callRate[query];
      var shares = shown.stream().mapToDouble(each -> singles.get(each).share(number)
          * Math.sqrt(Math.clamp(singles.get(each).callRate(number) / mean, 0.1, 10))).toArray();
      var total = Arrays.stream(shares).sum();
      for (int k = 0; k < shares.length; k++) {
        singles.get(shown.get(k)).setShare(query, shares[k] / total);
      }
    }
  }

  /** The cheapest schedule of one resource alone, found by policy iteration over the refreshes of one common period. */
  private final class Single {

    private final double weight;
    private final double rate;
    private final int[] queries;
    private final double[] share;
    private final double[] callRate;
    /** Refreshes within the common period: their times, their queries, and the seconds to the next refreshes. */
    private final double[] times;
    private final int[] of;
    private final double[] gaps;
    private final double[] survival;
    private final double common;
    private final double[] relative;
    private final int[] step;
    private final double[] stepCost;
    private final double[] stepTime;

    Single(int resource) {
      var watched = load.resources().get(resource);
      weight = watched.weight();
      rate = watched.rate();
      queries = watched.queries().stream().mapToInt(Integer::intValue).toArray();
      share = new double[queries.length];
      callRate = new double[queries.length];
      common = watched.queries().stream().mapToDouble(each -> load.queries().get(each).period()).max().orElseThrow();
      record Refresh(double time, int query) {}
      var refreshes = new ArrayList<Refresh>();
      for (int k = 0; k < queries.length; k++) {
        CachedQuery query = load.queries().get(queries[k]);
        for (var time = query.phase() % query.period(); time < common - 1e-9; time += query.period()) {
          refreshes.add(new Refresh(time, k));
        }
      }
      refreshes.sort((one, other) -> Double.compare(one.time(), other.time()));
      times = refreshes.stream().mapToDouble(Refresh::time).toArray();
      of = refreshes.stream().mapToInt(Refresh::query).toArray();
      gaps = new double[times.length];
      survival = new double[times.length];
      for (int node = 0; node < times.length; node++) {
        var next = node + 1 < times.length ? times[node + 1] : times[0] + common;
        gaps[node] = next - times[node];
        survival[node] = Math.exp(-rate * gaps[node]);
      }
      relative = new double[times.length];
      step = new int[times.length];
      stepCost = new double[times.length];
      stepTime = new double[times.length];
    }

    void setShare(int query, double value) {
      share[place(query)] = value;
    }

    double share(int query) {
      return share[place(query)];
    }

    double callRate(int query) {
      return callRate[place(query)];
    }

    private int place(int query) {
      for (int k = 0; k < queries.length; k++) {
        if (queries[k] == query) {
          return k;
        }
      }
      throw new IllegalArgumentException("the resource is not shown by query " + query);
    }

    /**
     * Returns the cost per second of the cheapest schedule at the given price of a call. Never polling is a schedule
     * too.
     */
    double cheapest(double price) {
      Arrays.fill(relative, 0);
      var cost = Double.POSITIVE_INFINITY;
      for (int round = 0; round < ROUNDS; round++) {
        var guess = round == 0 ? startingCost(price) : cost;
        for (int node = 0; node < times.length; node++) {
          improve(node, price, guess);
        }
        var reached = evaluateCycle();
        if (round > 0 && reached >= cost * (1 - 1e-9)) {
          break;
        }
        cost = reached;
      }
      return cost;
    }

    private double startingCost(double price) {
      var gap = Math.max(gaps[0], Math.cbrt(3 * price / (weight * Math.min(rate, 1))));
      return (weight * Math.min(1, rate * gap) * gap * gap / 2 + price) / gap;
    }

    /**
     * Finds the best refresh to poll next after the refresh {@code from}, given a cost per second and the relative
     * costs of all refreshes. Stores it as the step of {@code from}.
     */
    private void improve(int from, double price, double cost) {
      var lowest = Arrays.stream(relative).min().orElseThrow();
      var best = Double.POSITIVE_INFINITY;
      var none = 1.0;
      var a0 = 0.0;
      var a1 = 0.0;
      var a2 = 0.0;
      var time = 0.0;
      var node = from;
      while (true) {
        time += gaps[node];
        var here = none * (1 - survival[node]);
        none *= survival[node];
        a0 += here;
        a1 += here * time;
        a2 += here * time * time;
        node = node + 1 == times.length ? 0 : node + 1;
        var age = weight / 2 * (a0 * time * time - 2 * a1 * time + a2);
        var total = age + price * share[of[node]];
        var value = total - cost * time + relative[node];
        if (value < best) {
          best = value;
          step[from] = node;
          stepCost[from] = total;
          stepTime[from] = time;
        }
        if (weight * (a0 * time - a1) > cost && age - cost * time + lowest > best) {
          return;
        }
      }
    }

    /**
     * Returns the cost per second of the cheapest cycle to which the steps from refresh to refresh lead. Sets the
     * relative costs and the call rates.
     */
    private double evaluateCycle() {
      var visited = new int[times.length];
      var best = Double.POSITIVE_INFINITY;
      var start = -1;
      for (int from = 0; from < times.length; from++) {
        Arrays.fill(visited, 0);
        var node = from;
        while (visited[node]++ == 0) {
          node = step[node];
        }
        var cost = 0.0;
        var time = 0.0;
        var each = node;
        do {
          cost += stepCost[each];
          time += stepTime[each];
          each = step[each];
        } while (each != node);
        if (cost / time < best) {
          best = cost / time;
          start = node;
        }
      }
      setRelative(best, start);
      Arrays.fill(callRate, 0);
      var time = 0.0;
      var each = start;
      do {
        time += stepTime[each];
        callRate[of[step[each]]]++;
        each = step[each];
      } while (each != start);
      for (int k = 0; k < callRate.length; k++) {
        callRate[k] /= time;
      }
      return best;
    }

    /** Sets the relative costs: exactly for the cycle, and for other refreshes by the steps that lead to the cycle. */
    private void setRelative(double cost, int start) {
      Arrays.fill(relative, Double.NaN);
      relative[start] = 0;
      for (int from = 0; from < times.length; from++) {
        var path = new ArrayList<Integer>();
        var node = from;
        while (Double.isNaN(relative[node]) && !path.contains(node)) {
          path.add(node);
          node = step[node];
        }
        var value = Double.isNaN(relative[node]) ? 0 : relative[node];
        for (int k = path.size() - 1; k >= 0; k--) {
          var each = path.get(k);
          value += stepCost[each] - cost * stepTime[each];
          relative[each] = value;
        }
      }
    }
  }
}
