package io.tidemark.simulator;

import io.tidemark.simulator.TextTable.TableRow;
import java.util.List;
import java.util.Locale;

/**
 * A coin of the simulated market.
 *
 * @param price price in USD around which the current price of the coin moves
 * @param supply coins in circulation
 * @param turnover share of the market capitalisation that is traded in a day
 */
record SimulatedCoin(
    String id, String symbol, String name, double price, double supply, double turnover, PriceModel model) {

  /** The behaviour of a coin's price. */
  enum PriceModel {
    FREE,
    /** Moves twice as much as {@link #FREE}. */
    VOLATILE,
    /** One dollar, to within about a tenth of a percent. */
    STABLE,
    /**
     * One dollar, except for some market hours in every two market days, in which it loses some percent. In a quiet
     * market the price is as with {@link #STABLE}.
     */
    FRAGILE,
    /** The current price of ether, to within about a tenth of a percent. */
    ETHER
  }

  static final List<SimulatedCoin> ALL = TextTable.read("coins.txt").stream().map(SimulatedCoin::of).toList();

  private static SimulatedCoin of(TableRow row) {
    var model = PriceModel.valueOf(row.text(6).toUpperCase(Locale.ROOT));
    return new SimulatedCoin(row.text(0), row.text(1), row.text(2), row.number(3), row.number(4), row.number(5), model);
  }

  /** Returns whether the coin is meant to cost one dollar. */
  boolean isStable() {
    return model == PriceModel.STABLE || model == PriceModel.FRAGILE;
  }
}
