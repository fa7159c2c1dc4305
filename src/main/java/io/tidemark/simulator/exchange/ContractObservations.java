package io.tidemark.simulator.exchange;

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
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.AnswerFormats;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.StatelessRandom;
import io.tidemark.simulator.pool.Launchpads;
import io.tidemark.simulator.pool.RollingWindow;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Contracts as answers show them. */
final class ContractObservations {
  private static final int PERCENT = 100;

  private final StatelessRandom random;
  private final MarketSpeed speed;
  private final CoinPrices coins;
  private final Incident incident;

  ContractObservations(StatelessRandom random, MarketSpeed speed, CoinPrices coins, Incident incident) {
    this.random = random;
    this.speed = speed;
    this.coins = coins;
    this.incident = incident;
  }

  ContractFigures standing(ContractTerms terms, long at) {
    return ContractFigures.of(terms, random, speed, coins, incident, at);
  }

  Observation<Contract> view(ContractTerms terms, long at) {
    var now = standing(terms, at);
    var before = standing(terms, at - RollingWindow.H24.millis());
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
    return new Observation<>(contract, terms.expired(at) ? Set.of() : Set.of("description.expired_at"));
  }

  private static ContractDescription description(ContractTerms terms, long at) {
    return new ContractDescription(
        terms.coin().symbol().toUpperCase(Locale.ROOT),
        "USDT",
        terms.coin().id(),
        "tether",
        terms.perpetual() ? "perpetual" : "futures",
        terms.expiry() != null && terms.expired(at) ? Launchpads.second(terms.expiry()) : null);
  }

  private ConvertedText converted(double usd, long at) {
    return new ConvertedText(
        AnswerFormats.price(usd / coins.price("bitcoin", at)),
        AnswerFormats.price(usd / coins.price("ethereum", at)),
        AnswerFormats.price(usd));
  }
}
