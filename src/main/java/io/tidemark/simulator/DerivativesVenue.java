package io.tidemark.simulator;

import io.tidemark.simulator.TextTable.TableRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A derivatives exchange of the simulated market.
 *
 * @param share of all open interest that is on it
 * @param coins how many coins it lists perpetual contracts on, the first of all coins
 * @param perpetual pattern of the symbols of perpetual contracts
 * @param dated pattern of the symbols of dated contracts, without the date
 * @param series market time between expiries, for each series of dated contracts
 */
record DerivativesVenue(
    String id, String name, @Nullable Long year, @Nullable String country, double share, int coins, String perpetual,
    String dated, List<Duration> series) {
  private static final double DAY_MINUTES = 24 * 60;

  /** All exchanges by their ids. */
  static Map<String, DerivativesVenue> all() {
    return TextTable.read("derivatives.txt").stream()
        .map(DerivativesVenue::of)
        .collect(Collectors.toMap(DerivativesVenue::id, Function.identity()));
  }

  private static DerivativesVenue of(TableRow row) {
    return new DerivativesVenue(
        row.text(0), row.text(1), row.longOrNull(2), row.textOrNull(3), row.number(4), (int) row.number(5),
        row.text(6), row.text(7), row.texts(8).stream().map(DerivativesVenue::days).toList());
  }

  private static Duration days(String text) {
    return Duration.ofMinutes(Math.round(DAY_MINUTES * Double.parseDouble(text)));
  }
}
