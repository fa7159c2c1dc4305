package io.tidemark.simulator.exchange;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.JitteredSchedule;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.RandomWalk;
import io.tidemark.simulator.generator.StatelessRandom;
import java.time.Duration;

/**
 * Where a contract stands.
 *
 * @param basis by how much it is above its index, as a share of that
 * @param funding rate of eight hours, percent; 0 for dated contracts
 * @param openUsd open interest
 * @param volume of 24 hours, in coins
 * @param traded when it was traded last
 */
record ContractFigures(double index, double basis, double funding, double openUsd, double volume, double spread,
    long traded) {
  private static final Duration BEAT = Duration.ofSeconds(30);

  /** Some contracts are traded so many times less often than others. */
  private static final double QUIETEST = 12;
  private static final long SHORTEST = 3_000;
  private static final double YEAR = Duration.ofDays(365).toMillis();
  private static final double CARRY = 0.08;

  /** So much more is traded of contracts, by their share of what is open, than of the coin itself. */
  private static final double VOLUME = 12;

  private static final double DAY = 86_400;
  private static final double FAIR = 0.01;

  /** So much less moods move in a quiet market. */
  private static final double QUIET = 0.3;

  private static final double JUMP = 1.4;
  private static final double SPIKE = 0.03;
  private static final double CROWDED = 0.3;

  double last() {
    return index * (1 + basis);
  }

  double volumeUsd() {
    return volume * last();
  }

  /** Over with, it stands where it stood at its expiry, but nothing is open any more. */
  static ContractFigures of(ContractTerms terms, StatelessRandom random, MarketSpeed speed, CoinPrices coins,
      Incident incident, long at) {
    var own = random.derive(terms.venue().id()).derive(terms.symbol());
    long time = terms.expiry() == null ? at : Math.min(at, terms.expiry());
    var beats =
        new JitteredSchedule(own, 0,
            Math.max(SHORTEST, (long) (speed.realMillis(BEAT) * own.derive("pace").between(1, QUIETEST, 0))));
    long beat = beats.numberAt(time);
    long traded = beats.timeOf(beat);
    double market = speed.marketSeconds(traded);
    double mood =
        new RandomWalk(own.derive("mood"), 600, 5, 0.0003 / Math.sqrt(DAY)).at(market)
            * (incident.isQuiet() ? QUIET : 1);
    boolean affected = terms.perpetual() && terms.venue().id().equals("binance_futures")
        && terms.coin().id().equals("bitcoin");
    double crowd = (affected && incident.hasBegun(Scenario.OPEN_INTEREST_JUMP, at) ? JUMP : 1)
        * StrictMath.exp(new RandomWalk(own.derive("crowd"), 600, 6, 0.15 / Math.sqrt(DAY)).at(market));
    double share = terms.venue().share() * (terms.perpetual() ? 1 : 0.15);
    boolean over = terms.expired(at);
    double carry = terms.expiry() == null ? 0 : CARRY * Math.max(0, terms.expiry() - traded) / YEAR;
    double index = coins.price(terms.coin().id(), traded);
    return new ContractFigures(
        index,
        carry + mood + (affected && incident.isOngoing(Scenario.BASIS_SPIKE, at) ? SPIKE : 0),
        terms.perpetual()
            ? FAIR + 100 * mood + (affected && incident.isOngoing(Scenario.FUNDING_SPIKE, at) ? CROWDED : 0)
            : 0,
        over ? 0 : coins.cap(terms.coin(), traded) * share * crowd,
        over ? 0 : coins.volume(terms.coin(), traded) * VOLUME * share * crowd / index,
        own.between(0.0001, 0.002, beat),
        traded);
  }
}
