package io.tidemark.simulator;

import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.DerivativesExchangeDescription;
import io.tidemark.event.DerivativesExchangeListings;
import io.tidemark.event.DerivativesExchangeMedia;
import io.tidemark.event.DerivativesExchangeOpenInterest;
import io.tidemark.event.DerivativesExchangeVolume;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.simulator.ContractListing.ContractTerms;
import io.tidemark.simulator.ContractListing.DerivativesVenue;
import io.tidemark.simulator.ContractObservations.Figures;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Operation 11 of the service: a derivatives exchange, whose figures are sums over its unexpired contracts. */
final class DerivativesOperation {

  /** The incidents that affect one contract. */
  record ContractIncidents(Incident openInterestJump, Incident basisSpike, Incident fundingSpike) {}

  private final CoinPrices coins;
  private final ContractListing listing;
  private final ContractObservations contracts;
  private final Map<String, DerivativesVenue> venues = DerivativesVenue.all();

  DerivativesOperation(StatelessRandom random, MarketSpeed speed, CoinPrices coins, boolean quiet,
      ContractIncidents incidents) {
    this.coins = coins;
    this.listing = new ContractListing(random.derive("listing"), speed);
    this.contracts = new ContractObservations(random.derive("contracts"), speed, coins, quiet, incidents);
  }

  DerivativesAnswer answer(long at, Query.DerivativesExchangeById query) {
    var venue = venues.get(query.id());
    if (venue == null) {
      throw new Failure.NotFound("derivatives exchange not found: " + query.id());
    }
    var all = listing.contracts(venue, at);
    var open = all.stream().filter(terms -> !terms.isExpired(at)).toList();
    var included = switch (query.includeTickers()) {
      case null -> null;
      case ALL -> all;
      case UNEXPIRED -> open;
    };
    return new DerivativesAnswer(
        exchange(venue, open, at),
        included == null ? null : included.stream().map(terms -> contracts.observation(terms, at)).toList());
  }

  private Observation<DerivativesExchange> exchange(DerivativesVenue venue, List<ContractTerms> open, long at) {
    var exchange = new DerivativesExchange();
    exchange.setId(venue.id());
    exchange.setDescription(new DerivativesExchangeDescription(
        venue.name(), venue.year(), venue.country(), venue.name() + " trades derivatives.",
        "https://" + venue.id() + ".example/"));
    exchange.setMedia(new DerivativesExchangeMedia(AnswerFormats.image("markets", venue.id(), "small")));
    double bitcoin = coins.price("bitcoin", at);
    double interest = sum(open, at, Figures::openUsd) / bitcoin;
    double volume = sum(open, at, Figures::volumeUsd) / bitcoin;
    exchange.setOpenInterest(new DerivativesExchangeOpenInterest(AnswerFormats.rounded(interest, 2)));
    exchange.setVolume(new DerivativesExchangeVolume(Double.toString(AnswerFormats.rounded(volume, 2))));
    long perpetual = open.stream().filter(ContractTerms::isPerpetual).count();
    exchange.setListings(new DerivativesExchangeListings(perpetual, open.size() - perpetual));
    return new Observation<>(exchange, nulls(venue));
  }

  private double sum(List<ContractTerms> open, long at, ToDoubleFunction<Figures> figure) {
    return open.stream().mapToDouble(terms -> figure.applyAsDouble(contracts.figures(terms, at))).sum();
  }

  private static Set<String> nulls(DerivativesVenue venue) {
    var nulls = new HashSet<String>();
    AnswerFormats.addIfNull(nulls, "description.year_established", venue.year());
    AnswerFormats.addIfNull(nulls, "description.country", venue.country());
    return nulls;
  }
}
