package io.tidemark.simulator.treasury;

import io.tidemark.market.Failure;
import io.tidemark.simulator.generator.TextTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A company or government that holds coins.
 *
 * @param shares issued; null for a government
 * @param premium approximate ratio of its market value to the value of its coins
 */
record TreasuryEntity(
    String id,
    String name,
    String type,
    @Nullable String symbol,
    String country,
    @Nullable String handle,
    @Nullable Double shares,
    double premium) {
  static List<TreasuryEntity> all() {
    return TextTable.read("treasuries.txt").stream().map(TreasuryEntity::of).toList();
  }

  /**
   * The entity of an id.
   *
   * @throws Failure.NotFound where there is none
   */
  static TreasuryEntity find(List<TreasuryEntity> entities, String id) {
    return entities.stream()
        .filter(entity -> entity.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new Failure.NotFound("entity not found: " + id));
  }

  private static TreasuryEntity of(List<String> row) {
    return new TreasuryEntity(
        row.get(0),
        row.get(1),
        row.get(2),
        TextTable.isBlank(row.get(3)) ? null : row.get(3),
        row.get(4),
        TextTable.isBlank(row.get(5)) ? null : row.get(5),
        TextTable.isBlank(row.get(6)) ? null : Double.valueOf(row.get(6)),
        TextTable.isBlank(row.get(7)) ? 1 : Double.parseDouble(row.get(7)));
  }
}
