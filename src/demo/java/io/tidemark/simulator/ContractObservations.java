package io.tidemark.simulator;

import io.tidemark.event.Contract;
import io.tidemark.event.ContractBasis;
import io.tidemark.event.ContractConverted;
import io.tidemark.event.ContractDay;
import io.tidemark.event.ContractDescription;
import io.tidemark.event.ContractFunding;
import io.tidemark.event.ContractMedia;
import io.tidemark.event.ContractOpenInterest;
import io.tidemark.event.ContractPrice;
import io.tidemark.event.ContractSpread;
import io.tidemark.event.ContractTimes;
import io.tidemark.event.ConvertedText;
import io.tidemark.market.Observation;
import io.tidemark.simulator.ContractListing.ContractTerms;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A factory of the figures and observations of derivatives contracts. */
record ContractObservations(
    StatelessRandom random, MarketSpeed speed, CoinPrices coins, boolean quiet,
    DerivativesOperation.ContractIncidents incidents) {

  /**
   * Figures of a contract at one time.
   *
   * @param basis difference of the price of the contract from its index, as a share of the index; positive if the price
   *     is higher
   * @param funding funding rate of eight hours, in percent; 0 for dated contracts
   * @param volume volume of 24 hours, in coins
   */
  record Figures(
      double index, double basis, double funding, double openUsd, double volume, double spread, long traded) {
    double last() {
      return index * (1 + basis);
    }

    double volumeUsd() {
      return volume * last();
    }
  }

  private static final int PERCENT = 100;
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
  private static final double YEAR_MILLIS = Duration.ofDays(365).toMillis();

  private static final Duration TRADE = Duration.ofSeconds(30);
  private static final long SHORTEST_TRADE = 3_000;

  /** Maximum period of the trades of a contract, as a multiple of {@code TRADE}. */
  private static final double LONGEST_TRADE = 12;

  private static final double CARRY = 0.08;
  private static final double NEUTRAL_FUNDING = 0.01;

  /**
   * Factor of trading volumes: the volume of a perpetual contract is about {@code VOLUME} times {@code share} times
   * the trading volume of the coin.
   */
  private static final double VOLUME = 12;

  /** Factor by which the movements of the basis are smaller in a quiet market. */
  private static final double QUIET = 0.3;

  private static final double OPEN_INTEREST_FACTOR = 1.4;
  private static final double BASIS_RISE = 0.03;
  private static final double FUNDING_RISE = 0.3;

  /**
   * Returns the figures of a contract at a time. An expired contract has the figures of its expiry, with an open
   * interest and a volume of 0.
   */
  Figures figures(ContractTerms terms, long at) {
    var coin = terms.coin();
    var own = random.derive(terms.venue().id()).derive(terms.symbol());
    var trades = trades(own);
    long trade = trades.numberAt(terms.expiry() == null ? at : Math.min(at, terms.expiry()));
    long traded = trades.timeOf(trade);
    double market = speed.marketSeconds(traded);
    double premium = RandomWalk.daily(own.derive("mood"), 600, 5, 0.0003).at(market) * (quiet ? QUIET : 1);
    double index = coins.price(coin.id(), traded);
    boolean expired = terms.isExpired(at);
    double share = terms.venue().share() * (terms.isPerpetual() ? 1 : 0.15);
    double jump = isAffected(terms) && incidents.openInterestJump().hasBegun(at) ? OPEN_INTEREST_FACTOR : 1;
    double demand = jump * RandomWalk.daily(own.derive("crowd"), 600, 6, 0.15).factor(market);
    return new Figures(
        index, basis(terms, premium, traded, at), funding(terms, premium, at),
        expired ? 0 : coins.cap(coin, traded) * share * demand,
        expired ? 0 : coins.volume(coin, traded) * VOLUME * share * demand / index, own.between(0.0001, 0.002, trade),
        traded);
  }

  private JitteredSchedule trades(StatelessRandom own) {
    long period = (long) (speed.realMillis(TRADE) * own.derive("pace").between(1, LONGEST_TRADE, 0));
    return new JitteredSchedule(own, 0, Math.max(SHORTEST_TRADE, period));
  }

  private double basis(ContractTerms terms, double premium, long traded, long at) {
    double carry = terms.expiry() == null ? 0 : CARRY * Math.max(0, terms.expiry() - traded) / YEAR_MILLIS;
    return carry + premium + (isAffected(terms) && incidents.basisSpike().isOngoing(at) ? BASIS_RISE : 0);
  }

  private double funding(ContractTerms terms, double premium, long at) {
    double rise = isAffected(terms) && incidents.fundingSpike().isOngoing(at) ? FUNDING_RISE : 0;
    return terms.isPerpetual() ? NEUTRAL_FUNDING + PERCENT * premium + rise : 0;
  }

  /** Returns whether incidents affect a contract. */
  private static boolean isAffected(ContractTerms terms) {
    return terms.isPerpetual() && terms.venue().id().equals("binance_futures") && terms.coin().id().equals("bitcoin");
  }

  Observation<Contract> observation(ContractTerms terms, long at) {
    var now = figures(terms, at);
    var before = figures(terms, at - DAY_MILLIS);
    var contract = new Contract();
    contract.setExchange(terms.venue().id());
    contract.setSymbol(terms.symbol());
    contract.setDescription(description(terms, at));
    contract.setMedia(new ContractMedia("https://" + terms.venue().id() + ".example/trade/" + terms.symbol()));
    contract.setPrice(new ContractPrice(AnswerFormats.number(now.last())));
    double move = AnswerFormats.rounded(PERCENT * (now.last() / before.last() - 1), 4);
    contract.setDay(new ContractDay(move, AnswerFormats.rounded(now.volume(), 4)));
    contract.setBasis(
        new ContractBasis(AnswerFormats.number(now.index()), AnswerFormats.rounded(PERCENT * now.basis(), 6)));
    contract.setSpread(new ContractSpread(AnswerFormats.rounded(now.spread(), 6)));
    contract.setFunding(new ContractFunding(AnswerFormats.rounded(now.funding(), 6)));
    contract.setOpenInterest(new ContractOpenInterest(AnswerFormats.rounded(now.openUsd(), 2)));
    contract.setConverted(new ContractConverted(converted(now.last(), at), converted(now.volumeUsd(), at)));
    contract.setTimes(new ContractTimes(TimeUnit.MILLISECONDS.toSeconds(now.traded())));
    return new Observation<>(contract, terms.isExpired(at) ? Set.of() : Set.of("description.expired_at"));
  }

  private static ContractDescription description(ContractTerms terms, long at) {
    return new ContractDescription(
        terms.coin().symbol().toUpperCase(Locale.ROOT), "USDT", terms.coin().id(), "tether",
        terms.isPerpetual() ? "perpetual" : "futures",
        terms.expiry() != null && terms.isExpired(at) ? AnswerFormats.second(terms.expiry()) : null);
  }

  private ConvertedText converted(double usd, long at) {
    return new ConvertedText(
        AnswerFormats.price(usd / coins.price("bitcoin", at)), AnswerFormats.price(usd / coins.price("ethereum", at)),
        AnswerFormats.price(usd));
  }
}
