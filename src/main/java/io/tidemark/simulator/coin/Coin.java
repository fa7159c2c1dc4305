package io.tidemark.simulator.coin;

/**
 * A coin of the catalogue, as it stood when the market was made up.
 *
 * @param price in USD, around which it wanders
 * @param supply coins there are
 * @param turnover share of the market capitalisation that is traded in a day
 * @param nature how its price behaves
 */
public record Coin(String id, String symbol, String name, double price, double supply, double turnover, Nature nature) {
  enum Nature {
    FREE,
    /** Moves twice as much. */
    WILD,
    /** A dollar, to within a few hundredths of a percent. */
    STABLE,
    /** A dollar that now and then loses a few cents. */
    FRAGILE,
    /** Follows ether. */
    ETHER
  }
}
