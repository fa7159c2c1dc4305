package io.tidemark.simulator;

import io.tidemark.event.Treasury;
import io.tidemark.event.TreasuryDescription;
import io.tidemark.event.TreasuryValuation;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.simulator.TextTable.TableRow;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers operation 12: the coins that companies and governments hold. */
record TreasuryOperation(
    StatelessRandom random, MarketSpeed speed, CoinPrices coins, boolean quiet, HoldingIncidents incidents) {

  /** What happens to one holding each. */
  record HoldingIncidents(Incident opened, Incident bought, Incident sold, Incident closed) {}

  private static final Map<String, TreasuryEntity> ENTITIES = TreasuryEntity.all();
  private static final List<TableRow> HOLDINGS = TextTable.read("holdings.txt");

  TreasuryAnswer answer(long at, Query.PublicTreasury query) {
    var entity = ENTITIES.get(query.entityId());
    if (entity == null) {
      throw new Failure.NotFound("entity not found: " + query.entityId());
    }
    var open = HOLDINGS.stream()
        .filter(row -> row.text(0).equals(entity.id()))
        .map(row -> EntityHolding.of(row, random, speed, coins, quiet, incidents))
        .filter(holding -> holding.amount(at) > 0)
        .toList();
    double total = open.stream().mapToDouble(holding -> holding.valueUsd(at)).sum();
    var observations = new HoldingObservations(entity, total, at, query);
    return new TreasuryAnswer(treasury(entity, open, total, at), open.stream().map(observations::observation).toList());
  }

  private Observation<Treasury> treasury(TreasuryEntity entity, List<EntityHolding> open, double total, long at) {
    var treasury = new Treasury();
    treasury.setId(entity.id());
    treasury.setDescription(new TreasuryDescription(
        entity.name(), entity.type(), entity.symbol(), entity.country(), "https://" + entity.id() + ".example/",
        entity.handle()));
    treasury.setValuation(valuation(entity, open, total, at));
    return new Observation<>(treasury, nulls(entity));
  }

  private TreasuryValuation valuation(TreasuryEntity entity, List<EntityHolding> open, double total, long at) {
    double rounded = AnswerFormats.rounded(total, 2);
    if (entity.shares() == null) {
      return new TreasuryValuation(rounded, null, null, null);
    }
    double paid = open.stream().mapToDouble(holding -> holding.amount(at) * holding.entryPrice(at)).sum();
    var walk = RandomWalk.daily(random.derive(entity.id()).derive("fancy"), 900, 6, 0.02);
    double ratio = entity.premium() * walk.factor(speed.marketSeconds(at));
    return new TreasuryValuation(
        rounded, AnswerFormats.rounded(total - paid, 2), AnswerFormats.rounded(ratio, 3),
        AnswerFormats.rounded(total / entity.shares(), 4));
  }

  private static Set<String> nulls(TreasuryEntity entity) {
    var nulls = new HashSet<String>();
    if (entity.shares() == null) {
      nulls.addAll(List.of(
          "description.symbol", "valuation.unrealized_pnl", "valuation.m_nav",
          "valuation.total_asset_value_per_share_usd"));
    }
    AnswerFormats.addIfNull(nulls, "description.social_screen_name", entity.handle());
    return nulls;
  }
}
