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
import io.tidemark.market.Seen;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Contracts as answers show them. */
final class ContractView {
  private static final int PERCENT = 100;

  private final Noise noise;
  private final Pace pace;
  private final Coins coins;
  private final Incident incident;

  ContractView(Noise noise, Pace pace, Coins coins, Incident incident) {
    this.noise = noise;
    this.pace = pace;
    this.coins = coins;
    this.incident = incident;
  }

  Standing standing(Terms terms, long at) {
    return Standing.of(terms, noise, pace, coins, incident, at);
  }

  Seen<Contract> view(Terms terms, long at) {
    var now = standing(terms, at);
    var before = standing(terms, at - Window.H24.millis());
    var contract = new Contract();
    contract.setExchange(terms.venue().id());
    contract.setSymbol(terms.symbol());
    contract.setDescription(description(terms, at));
    contract.setMedia(new ContractMedia("https://" + terms.venue().id() + ".example/trade/" + terms.symbol()));
    contract.setPrice(new ContractPrice(Decimals.number(now.last())));
    double move = Decimals.rounded(PERCENT * (now.last() / before.last() - 1), 4);
    contract.setDay(new ContractDay(move, Decimals.rounded(now.volume(), 4)));
    contract.setBasis(new ContractBasis(Decimals.number(now.index()), Decimals.rounded(PERCENT * now.basis(), 6)));
    contract.setSpread(new ContractSpread(Decimals.rounded(now.spread(), 6)));
    contract.setFunding(new ContractFunding(Decimals.rounded(now.funding(), 6)));
    contract.setOpenInterest(new ContractOpenInterest(Decimals.rounded(now.openUsd(), 2)));
    contract.setConverted(new ContractConverted(converted(now.last(), at), converted(now.volumeUsd(), at)));
    contract.setTimes(new ContractTimes(TimeUnit.MILLISECONDS.toSeconds(now.traded())));
    return new Seen<>(contract, terms.expired(at) ? Set.of() : Set.of("description.expired_at"));
  }

  private static ContractDescription description(Terms terms, long at) {
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
        Decimals.price(usd / coins.price("bitcoin", at)),
        Decimals.price(usd / coins.price("ethereum", at)),
        Decimals.price(usd));
  }
}
