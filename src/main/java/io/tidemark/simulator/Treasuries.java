package io.tidemark.simulator;

import io.tidemark.event.Treasury;
import io.tidemark.event.TreasuryDescription;
import io.tidemark.event.TreasuryValuation;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.TreasuryAnswer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Operation 12: what companies and governments hold. */
final class Treasuries {
  private static final double DAY = 86_400;

  private final Noise noise;
  private final Pace pace;
  private final List<Entity> entities = Entity.all();
  private final Map<String, List<Position>> positions = new HashMap<>();

  Treasuries(Noise noise, Pace pace, Coins coins, Incident incident) {
    this.noise = noise;
    this.pace = pace;
    entities.forEach(entity -> positions.put(entity.id(), Position.of(entity, noise, pace, coins, incident)));
  }

  TreasuryAnswer treasury(long at, Query.PublicTreasury query) {
    var entity = Entity.find(entities, query.entityId());
    var held = positions.getOrDefault(entity.id(), List.of()).stream().filter(one -> one.amount(at) > 0).toList();
    double total = held.stream().mapToDouble(position -> position.valueUsd(at)).sum();
    var view = new HoldingView(entity, total, at, query);
    return new TreasuryAnswer(treasury(entity, held, total, at), held.stream().map(view::view).toList());
  }

  private Seen<Treasury> treasury(Entity entity, List<Position> held, double total, long at) {
    var treasury = new Treasury();
    treasury.setId(entity.id());
    treasury.setDescription(new TreasuryDescription(
        entity.name(),
        entity.type(),
        entity.symbol(),
        entity.country(),
        "https://" + entity.id() + ".example/",
        entity.handle()));
    treasury.setValuation(valuation(entity, held, total, at));
    return new Seen<>(treasury, nulls(entity));
  }

  private TreasuryValuation valuation(Entity entity, List<Position> held, double total, long at) {
    double rounded = Decimals.rounded(total, 2);
    if (entity.shares() == null) {
      return new TreasuryValuation(rounded, null, null, null);
    }
    double paid = held.stream().mapToDouble(position -> position.amount(at) * position.entry(at)).sum();
    var fancy = new Walk(noise.of(entity.id()).of("fancy"), 900, 6, 0.02 / Math.sqrt(DAY));
    double ratio = entity.premium() * StrictMath.exp(fancy.at(pace.marketSeconds(at)));
    return new TreasuryValuation(
        rounded,
        Decimals.rounded(total - paid, 2),
        Decimals.rounded(ratio, 3),
        Decimals.rounded(total / entity.shares(), 4));
  }

  private static Set<String> nulls(Entity entity) {
    var nulls = new HashSet<String>();
    if (entity.shares() == null) {
      nulls.addAll(List.of(
          "description.symbol",
          "valuation.unrealized_pnl",
          "valuation.m_nav",
          "valuation.total_asset_value_per_share_usd"));
    }
    if (entity.handle() == null) {
      nulls.add("description.social_screen_name");
    }
    return nulls;
  }
}
