package io.tidemark.config;

import io.tidemark.market.Operation;
import io.tidemark.market.RefreshRate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** How often the service refreshes what each operation shows. */
record RefreshPeriods(Map<Operation, Duration> periods) {

  /** Between two days of a coin's history, while some are missing. */
  private static final Duration DAYS = Duration.ofMinutes(1);

  Duration of(Operation operation) {
    return Objects.requireNonNull(periods.get(operation));
  }

  Duration betweenDays() {
    return periods.getOrDefault(Operation.COIN_HISTORY, DAYS);
  }

  /** {@code public}, {@code pro}, or by operation and public otherwise. */
  static RefreshPeriods read(Section source) {
    if (!source.isSection("refresh")) {
      return source.get("refresh", "public").text().equals("pro") ? of(RefreshRate.PRO) : published(source);
    }
    var periods = of(RefreshRate.PUBLIC);
    var own = source.section("refresh").only(names().toArray(String[]::new));
    own.keys().forEach(name -> periods.periods().put(Operation.of(name), period(own.required(name))));
    return periods;
  }

  private static RefreshPeriods published(Section source) {
    var value = source.get("refresh", "public");
    if (!value.text().equals("public")) {
      throw value.wrongWord(List.of("public", "pro"));
    }
    return of(RefreshRate.PUBLIC);
  }

  private static RefreshPeriods of(RefreshRate refresh) {
    var periods = new EnumMap<Operation, Duration>(Operation.class);
    Stream.of(Operation.values()).forEach(operation -> periods.put(operation, refresh.period(operation)));
    periods.remove(Operation.COIN_HISTORY);
    return new RefreshPeriods(periods);
  }

  private static Duration period(Value value) {
    var period = value.duration();
    if (period.compareTo(Duration.ofMillis(100)) < 0) {
      throw value.refused("at least 100ms");
    }
    return period;
  }

  private static List<String> names() {
    return Stream.of(Operation.values()).map(Operation::wire).toList();
  }
}
