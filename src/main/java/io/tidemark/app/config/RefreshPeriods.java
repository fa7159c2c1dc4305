package io.tidemark.app.config;

import io.tidemark.event.DurationFormat;
import io.tidemark.market.Operation;
import io.tidemark.market.RefreshRate;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The periods in which the service refreshes the answers of each operation. The period of {@code COIN_HISTORY} is
 * instead the time between two polls of a coin's history while some of its days are missing. It is absent if the
 * configuration does not set it.
 */
record RefreshPeriods(Map<Operation, Duration> periods) {

  /** Default period of {@code COIN_HISTORY}. */
  private static final Duration BETWEEN_DAYS = Duration.ofMinutes(1);

  Duration of(Operation operation) {
    return Objects.requireNonNull(periods.get(operation));
  }

  Duration betweenDays() {
    return periods.getOrDefault(Operation.COIN_HISTORY, BETWEEN_DAYS);
  }

  /**
   * Reads {@code refresh}, which is {@code public}, {@code pro}, or a section of periods by operation. An operation
   * that the section does not name has its period of {@code public} or, for {@code COIN_HISTORY}, the default.
   */
  static RefreshPeriods read(YamlSection source) {
    if (source.has("refresh") && !source.isSection("refresh")) {
      var rate = source.get("refresh", "public").oneOf(List.of("public", "pro"));
      return of(rate.equals("pro") ? RefreshRate.PRO : RefreshRate.PUBLIC);
    }
    var periods = of(RefreshRate.PUBLIC);
    var own = source.section("refresh").only(Stream.of(Operation.values()).map(Operation::wire).toArray(String[]::new));
    Stream.of(Operation.values()).filter(each -> own.has(each.wire()))
        .forEach(each -> periods.periods().put(each, period(own.required(each.wire()))));
    return periods;
  }

  private static RefreshPeriods of(RefreshRate refresh) {
    var periods = new EnumMap<Operation, Duration>(Operation.class);
    Stream.of(Operation.values()).forEach(operation -> periods.put(operation, refresh.period(operation)));
    periods.remove(Operation.COIN_HISTORY);
    return new RefreshPeriods(periods);
  }

  private static Duration period(YamlValue value) {
    var period = value.duration(DurationFormat.OF_CONFIGURATION);
    if (period.compareTo(Duration.ofMillis(100)) < 0) {
      throw value.invalid("must be at least 100ms");
    }
    return period;
  }
}
