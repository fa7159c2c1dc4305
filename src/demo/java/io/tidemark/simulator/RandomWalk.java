package io.tidemark.simulator;

import java.util.Arrays;

/**
 * A random walk whose value at any time is computed directly, without the steps before it. The walk is a sum of
 * lattices. A lattice has a random number at each of its equidistant nodes, and is interpolated between the nodes.
 * The distance of nodes is four times the distance in the previous lattice, and the random numbers are as large as a
 * random walk gets over that distance. Over more than the distance of nodes in the last lattice, the walk spreads no
 * further: it stays around 0.
 *
 * <p>The last interval read in each lattice is remembered, because most readers go through time step by step.
 * Thread-safe.
 */
final class RandomWalk {
  private static final int GROWTH = 4;
  private static final int LATTICE_BITS = 4;
  private static final double DAY = 86_400;

  private final StatelessRandom random;
  private final double shortest;
  private final double deviation;
  private final Interval[] last;

  /** The interval between two neighbouring nodes of a lattice, with their random numbers. */
  private record Interval(long index, double before, double after) {}

  /**
   * @param shortest distance of nodes in the first lattice, in units of time
   * @param lattices number of lattices
   * @param deviation approximate standard deviation of the walk after one unit of time; after n units it is the
   *     square root of n times as large, within the range of the lattices
   */
  RandomWalk(StatelessRandom random, double shortest, int lattices, double deviation) {
    this.random = random;
    this.shortest = shortest;
    this.deviation = deviation;
    this.last = new Interval[lattices];
    Arrays.setAll(last, lattice -> interval(lattice, 0));
  }

  /**
   * Returns a walk over seconds that has about the given standard deviation after a day, or less if the nodes of the
   * last lattice are less than a day apart.
   */
  static RandomWalk daily(StatelessRandom random, double shortest, int lattices, double deviation) {
    return new RandomWalk(random, shortest, lattices, deviation / Math.sqrt(DAY));
  }

  /** Returns a positive factor whose logarithm is the value of the walk. */
  double factor(double time) {
    return StrictMath.exp(at(time));
  }

  double at(double time) {
    double sum = 0;
    double width = shortest;
    for (int lattice = 0; lattice < last.length; lattice++, width *= GROWTH) {
      sum += Math.sqrt(width) * height(lattice, time / width);
    }
    return deviation * sum;
  }

  private double height(int lattice, double place) {
    double floor = Math.floor(place);
    var interval = last[lattice];
    if (interval.index != (long) floor) {
      interval = interval(lattice, (long) floor);
      last[lattice] = interval; // threads may overwrite each other's, which are as good
    }
    return interval.before + (interval.after - interval.before) * (place - floor);
  }

  private Interval interval(int lattice, long index) {
    return new Interval(index, node(lattice, index), node(lattice, index + 1));
  }

  private double node(int lattice, long index) {
    return random.normal(index << LATTICE_BITS | lattice);
  }
}
