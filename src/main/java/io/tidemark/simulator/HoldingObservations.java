package io.tidemark.simulator;

import io.tidemark.event.Holding;
import io.tidemark.event.HoldingEntry;
import io.tidemark.event.HoldingPosition;
import io.tidemark.event.HoldingShare;
import io.tidemark.event.HoldingTrend;
import io.tidemark.event.HoldingValuation;
import io.tidemark.event.Timeframes;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.Timeframe;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes observations of an entity's holdings at one time. */
record HoldingObservations(TreasuryEntity entity, double totalUsd, long at, Query.PublicTreasury query) {
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
    holding.setValuation(new HoldingValuation(AnswerFormats.rounded(value, 2), AnswerFormats.rounded(value - paid, 2)));
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

  /** Change in percent; null where nothing was held before. */
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
