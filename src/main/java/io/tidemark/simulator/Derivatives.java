package io.tidemark.simulator;

import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.DerivativesExchangeDescription;
import io.tidemark.event.DerivativesExchangeListings;
import io.tidemark.event.DerivativesExchangeMedia;
import io.tidemark.event.DerivativesExchangeOpenInterest;
import io.tidemark.event.DerivativesExchangeVolume;
import io.tidemark.market.DerivativesAnswer;
import io.tidemark.market.IncludeTickers;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Operation 11: a derivatives exchange, whose figures are the sums of its contracts. */
final class Derivatives {
  private final Coins coins;
  private final Listing listing;
  private final ContractView contracts;
  private final List<DerivativesVenue> venues = DerivativesVenue.all();

  Derivatives(Noise noise, Pace pace, Coins coins, Incident incident) {
    this.coins = coins;
    this.listing = new Listing(noise.of("listing"), pace, coins);
    this.contracts = new ContractView(noise.of("contracts"), pace, coins, incident);
  }

  DerivativesAnswer exchange(long at, Query.DerivativesExchangeById query) {
    var venue = DerivativesVenue.find(venues, query.id());
    var all = listing.contracts(venue, at);
    var open = all.stream().filter(terms -> !terms.expired(at)).toList();
    return new DerivativesAnswer(exchange(venue, open, at), shown(query.includeTickers(), all, open, at));
  }

  private @Nullable List<Seen<Contract>> shown(
      @Nullable IncludeTickers include, List<Terms> all, List<Terms> open, long at) {
    return switch (include) {
      case null -> null;
      case ALL -> all.stream().map(terms -> contracts.view(terms, at)).toList();
      case UNEXPIRED -> open.stream().map(terms -> contracts.view(terms, at)).toList();
    };
  }

  private Seen<DerivativesExchange> exchange(DerivativesVenue venue, List<Terms> open, long at) {
    var exchange = new DerivativesExchange();
    exchange.setId(venue.id());
    exchange.setDescription(new DerivativesExchangeDescription(
        venue.name(),
        venue.year(),
        venue.country(),
        venue.name() + " trades derivatives.",
        "https://" + venue.id() + ".example/"));
    exchange.setMedia(new DerivativesExchangeMedia(Images.market(venue.id(), "small")));
    double bitcoin = coins.price("bitcoin", at);
    double interest = sum(open, at, Standing::openUsd) / bitcoin;
    double volume = sum(open, at, Standing::volumeUsd) / bitcoin;
    exchange.setOpenInterest(new DerivativesExchangeOpenInterest(Decimals.rounded(interest, 2)));
    exchange.setVolume(new DerivativesExchangeVolume(Double.toString(Decimals.rounded(volume, 2))));
    long perpetual = open.stream().filter(Terms::perpetual).count();
    exchange.setListings(new DerivativesExchangeListings(perpetual, open.size() - perpetual));
    return new Seen<>(exchange, nulls(venue));
  }

  private double sum(List<Terms> open, long at, ToDoubleFunction<Standing> figure) {
    return open.stream().mapToDouble(terms -> figure.applyAsDouble(contracts.standing(terms, at))).sum();
  }

  private static Set<String> nulls(DerivativesVenue venue) {
    var nulls = new HashSet<String>();
    if (venue.year() == null) {
      nulls.add("description.year_established");
    }
    if (venue.country() == null) {
      nulls.add("description.country");
    }
    return nulls;
  }
}
