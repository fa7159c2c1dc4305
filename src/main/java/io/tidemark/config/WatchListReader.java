package io.tidemark.config;

import static io.tidemark.config.Watching.each;
import static io.tidemark.config.Watching.flag;
import static io.tidemark.config.Watching.include;
import static io.tidemark.config.Watching.words;

import io.tidemark.market.DexPairFormat;
import io.tidemark.market.IncludeTickers;
import io.tidemark.market.PlatformFilter;
import io.tidemark.market.Query;
import io.tidemark.market.TickerOrder;
import io.tidemark.market.Timeframe;
import io.tidemark.poll.WatchList;

/** Reads the section {@code watch}: parameters bear the document's names in kebab case, a leading include_ left out. */
record WatchListReader(Watching watching) {

  static WatchList read(Section in, Watching watching) {
    new WatchListReader(watching).all(in);
    return watching.list(in);
  }

  private void all(Section in) {
    in.only("networks", "searches", "global", "coins", "derivatives", "treasuries", "platforms", "follow");
    in.notYet("follow");
    in.named("networks").forEach(new NetworkReader(watching)::network);
    in.sections("searches").forEach(this::search);
    if (in.has("global")) {
      watching.add(in.section("global").only("weight"), new Query.GlobalMarket());
    }
    each(in.section("coins"), this::coin);
    each(in.section("derivatives"), this::exchange);
    each(in.section("treasuries"), this::treasury);
    if (in.has("platforms")) {
      platforms(in.section("platforms").only("filter", "weight"));
    }
  }

  private void search(Section in) {
    in.only("query", "network", "include", "pages", "weight");
    var network = in.find("network");
    watching.add(in, new Query.SearchPools(
        in.required("query").text(), network == null ? null : network.text(), include(in), 1));
  }

  private void coin(String coin, Section in) {
    in.only("history", "tickers");
    if (!in.has("history") && !in.has("tickers")) {
      throw in.refused("nothing is watched of it; name history, tickers or both");
    }
    if (in.has("history")) {
      history(coin, in.section("history"));
    }
    if (in.has("tickers")) {
      tickers(coin, in.section("tickers"));
    }
  }

  private void history(String coin, Section in) {
    in.only("days", "localization");
    var localization = in.get("localization", "true").flag();
    watching.addDays(in, date -> new Query.CoinHistory(coin, date, localization));
  }

  /** Decentralised pairs are named by addresses: symbols are not unique, and the pair is part of a ticker's key. */
  private void tickers(String coin, Section in) {
    in.only("exchange-ids", "logo", "pages", "order", "depth", "weight");
    var exchanges = in.find("exchange-ids");
    var order = in.get("order", TickerOrder.TRUST_SCORE_DESC.wire()).word(TickerOrder.values());
    watching.add(in, new Query.CoinTickers(
        coin,
        exchanges == null ? null : exchanges.text(),
        flag(in, "logo"),
        1,
        order,
        flag(in, "depth"),
        DexPairFormat.CONTRACT_ADDRESS));
  }

  private void exchange(String exchange, Section in) {
    in.only("tickers", "weight");
    var tickers = in.find("tickers");
    watching.add(in, new Query.DerivativesExchangeById(
        exchange, tickers == null ? null : tickers.word(IncludeTickers.values())));
  }

  private void treasury(String entity, Section in) {
    in.only("holding-amount-change", "holding-change-percentage", "weight");
    watching.add(in, new Query.PublicTreasury(
        entity,
        words(in, "holding-amount-change", Timeframe.values()),
        words(in, "holding-change-percentage", Timeframe.values())));
  }

  /** The list limited to those with NFTs comes on top: what is gone can be told from the whole one alone. */
  private void platforms(Section in) {
    watching.add(in, new Query.AssetPlatforms(null));
    var filter = in.find("filter");
    if (filter != null) {
      watching.add(in, new Query.AssetPlatforms(filter.word(PlatformFilter.values())));
    }
  }
}
