package io.tidemark.simulator;

import io.tidemark.event.Holding;
import io.tidemark.event.HoldingEntry;
import io.tidemark.event.HoldingPosition;
import io.tidemark.event.HoldingShare;
import io.tidemark.event.HoldingTrend;
import io.tidemark.event.HoldingValuation;
import io.tidemark.event.Timeframes;
import io.tidemark.event.Treasury;
import io.tidemark.event.TreasuryDescription;
import io.tidemark.event.TreasuryValuation;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.Timeframe;
import io.tidemark.simulator.TextTable.TableRow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Operation 12 of the service: the coins that companies and governments hold. */
record TreasuryOperation(
    StatelessRandom random, MarketSpeed speed, CoinPrices coins, boolean quiet, HoldingIncidents incidents) {

  /** The incidents that each affect one holding. */
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

  /**
   * A company or government that holds coins.
   *
   * @param shares number of issued shares; null for a government
   * @param premium approximate ratio of the entity's market value to the value of its coins
   */
  private record TreasuryEntity(
      String id, String name, String type, @Nullable String symbol, String country, @Nullable String handle,
      @Nullable Double shares, double premium) {
    /** Returns all entities by their ids. */
    static Map<String, TreasuryEntity> all() {
      return TextTable.read("treasuries.txt").stream()
          .map(TreasuryEntity::of)
          .collect(Collectors.toMap(TreasuryEntity::id, Function.identity()));
    }

    private static TreasuryEntity of(TableRow row) {
      var premium = row.numberOrNull(7);
      return new TreasuryEntity(
          row.text(0), row.text(1), row.text(2), row.textOrNull(3), row.text(4), row.textOrNull(5), row.numberOrNull(6),
          premium == null ? 1 : premium);
    }
  }

  /** A factory of observations of an entity's holdings at one time. */
  private record HoldingObservations(TreasuryEntity entity, double totalUsd, long at, Query.PublicTreasury query) {
    private static final int PERCENT = 100;

    Observation<Holding> observation(EntityHolding position) {
      var nulls = new HashSet<String>();
      double amount = position.amount(at);
      double value = position.valueUsd(at);
      double paid = amount * position.entryPrice(at);
      var holding = new Holding();
      holding.setEntity(entity.id());
      holding.setCoinId(position.coin().id());
      holding.setPosition(new HoldingPosition(amount));
      holding.setShare(share(position, amount, value, nulls));
      holding.setEntry(new HoldingEntry(AnswerFormats.rounded(paid, 2), AnswerFormats.number(position.entryPrice(at))));
      holding
          .setValuation(new HoldingValuation(AnswerFormats.rounded(value, 2), AnswerFormats.rounded(value - paid, 2)));
      holding.setTrend(trend(position, amount, nulls));
      return new Observation<>(holding, nulls);
    }

    private HoldingShare share(EntityHolding position, double amount, double value, Set<String> nulls) {
      AnswerFormats.addIfNull(nulls, "share.amount_per_share", entity.shares());
      return new HoldingShare(
          AnswerFormats.rounded(PERCENT * amount / position.coin().supply(), 6),
          entity.shares() == null ? null : AnswerFormats.number(amount / entity.shares()),
          AnswerFormats.rounded(PERCENT * value / totalUsd, 4));
    }

    private @Nullable HoldingTrend trend(EntityHolding position, double amount, Set<String> nulls) {
      var amounts = timeframes(query.holdingAmountChange(), frame -> amount - before(position, frame));
      var percentages =
          timeframes(query.holdingChangePercentage(), frame -> change(before(position, frame), amount, frame, nulls));
      return amounts == null && percentages == null ? null : new HoldingTrend(amounts, percentages);
    }

    /**
     * Returns the change of a holding in percent. If nothing was held before, returns null and adds the attribute to
     * {@code nulls}.
     */
    private static @Nullable Double change(double before, double after, Timeframe frame, Set<String> nulls) {
      if (before == 0) {
        nulls.add("trend.holding_change_percentage." + frame.name().toLowerCase(Locale.ROOT));
        return null;
      }
      return AnswerFormats.rounded(PERCENT * (after / before - 1), 4);
    }

    private double before(EntityHolding position, Timeframe frame) {
      return position.amount(switch (frame) {
        case D7 -> daysAgo(7);
        case D14 -> daysAgo(14);
        case D30 -> daysAgo(30);
        case D90 -> daysAgo(90);
        case Y1 -> daysAgo(365);
        case YTD -> newYear();
      });
    }

    private long daysAgo(int days) {
      return at - Duration.ofDays(days).toMillis();
    }

    private long newYear() {
      var today = Instant.ofEpochMilli(at).atOffset(ZoneOffset.UTC).toLocalDate();
      return today.withDayOfYear(1).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    }

    private static @Nullable Timeframes timeframes(
        Set<Timeframe> requested, Function<Timeframe, @Nullable Double> figure) {
      if (requested.isEmpty()) {
        return null;
      }
      Function<Timeframe, @Nullable Double> value = frame -> requested.contains(frame) ? figure.apply(frame) : null;
      return new Timeframes(
          value.apply(Timeframe.D7), value.apply(Timeframe.D14), value.apply(Timeframe.D30), value.apply(Timeframe.D90),
          value.apply(Timeframe.Y1), value.apply(Timeframe.YTD));
    }
  }
}
