package io.tidemark.simulator.exchange;

import io.tidemark.market.Failure;
import io.tidemark.simulator.generator.TextTable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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
    String id,
    String name,
    @Nullable Long year,
    @Nullable String country,
    double share,
    int coins,
    String perpetual,
    String dated,
    List<Duration> series) {
  private static final double HOURS = 24;

  static List<DerivativesVenue> all() {
    return TextTable.read("derivatives.txt").stream().map(DerivativesVenue::of).toList();
  }

  /**
   * The exchange of an id.
   *
   * @throws Failure.NotFound where there is none
   */
  static DerivativesVenue find(List<DerivativesVenue> venues, String id) {
    return venues.stream()
        .filter(venue -> venue.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new Failure.NotFound("derivatives exchange not found: " + id));
  }

  private static DerivativesVenue of(List<String> row) {
    return new DerivativesVenue(
        row.get(0),
        row.get(1),
        TextTable.isBlank(row.get(2)) ? null : Long.valueOf(row.get(2)),
        TextTable.isBlank(row.get(3)) ? null : row.get(3),
        Double.parseDouble(row.get(4)),
        Integer.parseInt(row.get(5)),
        row.get(6),
        row.get(7),
        TextTable.isBlank(row.get(8)) ? List.of() : series(row.get(8)));
  }

  private static List<Duration> series(String cell) {
    return Arrays.stream(cell.split(" ")).map(DerivativesVenue::days).toList();
  }

  private static Duration days(String cell) {
    return Duration.ofMinutes(Math.round(60 * HOURS * Double.parseDouble(cell)));
  }
}
