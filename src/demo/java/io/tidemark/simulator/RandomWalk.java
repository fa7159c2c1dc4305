package io.tidemark.simulator;

/**
 * A random walk whose value at any time is computed directly, without the steps before it. The walk is a sum of
 * lattices. A lattice has a random number at each of its equidistant nodes, and is interpolated between the nodes. The
 * distance of nodes is four times the distance in the previous lattice, and the random numbers are as large as a random
 * walk gets over that distance.
 *
 * @param shortest distance of nodes in the first lattice, in units of time
 * @param lattices number of lattices
 * @param deviation standard deviation of the walk after one unit of time
 */
record RandomWalk(StatelessRandom random, double shortest, int lattices, double deviation) {
  private static final int GROWTH = 4;
  private static final int LATTICE_BITS = 4;
  private static final double DAY = 86_400;

  /** Returns a walk over seconds that has the given standard deviation after a day. */
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
    for (int lattice = 0; lattice < lattices; lattice++, width *= GROWTH) {
      sum += Math.sqrt(width) * height(lattice, time / width);
    }
    return deviation * sum;
  }

  private double height(int lattice, double place) {
    double floor = Math.floor(place);
    double before = node(lattice, (long) floor);
    double after = node(lattice, (long) floor + 1);
    return before + (after - before) * (place - floor);
  }

  private double node(int lattice, long index) {
    return random.normal(index << LATTICE_BITS | lattice);
  }
}
