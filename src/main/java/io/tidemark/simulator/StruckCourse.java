package io.tidemark.simulator;

/** The course of a pool that incidents strike. */
record StruckCourse(Course usual, Rhythm rhythm, Incident incident) implements Course {
  private static final double PUMPED = 1.4;
  private static final double LEFT_OVER = 0.03;
  private static final double WASHED = 30;

  @Override
  public double price(long block, long time) {
    return usual.price(block, time) * (incident.began(Scenario.PUMP, time) ? PUMPED : 1);
  }

  @Override
  public double depth(long block) {
    return usual.depth(block) * (incident.began(Scenario.RUG_PULL, rhythm.time(block)) ? LEFT_OVER : 1);
  }

  @Override
  public double quoteUsd(long time) {
    return usual.quoteUsd(time);
  }

  @Override
  public double churn(long block) {
    return usual.churn(block) * (incident.lasts(Scenario.WASH_TRADING, rhythm.time(block)) ? WASHED : 1);
  }
}
