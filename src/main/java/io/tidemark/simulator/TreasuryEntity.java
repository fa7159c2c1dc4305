package io.tidemark.simulator;

import io.tidemark.simulator.TextTable.TableRow;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A company or government that holds coins.
 *
 * @param shares issued; null for a government
 * @param premium approximate ratio of its market value to the value of its coins
 */
record TreasuryEntity(
    String id, String name, String type, @Nullable String symbol, String country, @Nullable String handle,
    @Nullable Double shares, double premium) {
  /** All entities by their ids. */
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
