package io.tidemark.simulator;

import io.tidemark.market.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A company or government that holds coins.
 *
 * @param shares it has issued; null for governments
 * @param premium its market value over that of its coins, about
 */
record Entity(
    String id,
    String name,
    String type,
    @Nullable String symbol,
    String country,
    @Nullable String handle,
    @Nullable Double shares,
    double premium) {
  static List<Entity> all() {
    return Table.read("treasuries.txt").stream().map(Entity::of).toList();
  }

  /**
   * The entity of an id.
   *
   * @throws Failure.NotFound where there is none
   */
  static Entity find(List<Entity> entities, String id) {
    return entities.stream()
        .filter(entity -> entity.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new Failure.NotFound("entity not found: " + id));
  }

  private static Entity of(List<String> row) {
    return new Entity(
        row.get(0),
        row.get(1),
        row.get(2),
        Table.blank(row.get(3)) ? null : row.get(3),
        row.get(4),
        Table.blank(row.get(5)) ? null : row.get(5),
        Table.blank(row.get(6)) ? null : Double.valueOf(row.get(6)),
        Table.blank(row.get(7)) ? 1 : Double.parseDouble(row.get(7)));
  }
}
