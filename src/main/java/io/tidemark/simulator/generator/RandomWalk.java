package io.tidemark.simulator.generator;

/**
 * A wandering line that can be read off at any time: noise on lattices, each four times as wide as the one before and
 * as high as a random walk gets in its width.
 *
 * @param shortest width of the finest lattice, in units of time
 * @param lattices how many
 * @param deviation of the walk after one unit of time
 */
public record RandomWalk(StatelessRandom random, double shortest, int lattices, double deviation) {
  private static final int GROWTH = 4;
  private static final int LATTICE_BITS = 4;

  public double at(double time) {
    double sum = 0;
    double width = shortest;
    for (int lattice = 0; lattice < lattices; lattice++, width *= GROWTH) {
      sum += Math.sqrt(width) * height(lattice, time / width);
    }
    return deviation * sum;
  }

  private double height(int lattice, double place) {
    double floor = Math.floor(place);
    double left = node(lattice, (long) floor);
    double right = node(lattice, (long) floor + 1);
    return left + (right - left) * (place - floor);
  }

  private double node(int lattice, long index) {
    return random.normal(index << LATTICE_BITS | lattice);
  }
}
