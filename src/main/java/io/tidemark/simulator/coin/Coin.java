package io.tidemark.simulator.coin;

import java.util.List;

/**
 * A coin of the simulated market.
 *
 * @param price in USD, around which it wanders
 * @param supply coins in circulation
 * @param turnover share of the market capitalisation that is traded in a day
 */
public record Coin(
    String id, String symbol, String name, double price, double supply, double turnover, PriceModel model) {

  /** How the price of a coin behaves. */
  enum PriceModel {
    FREE,
    /** Moves twice as much. */
    VOLATILE,
    /** One dollar, to within a few hundredths of a percent. */
    STABLE,
    /** One dollar, but for a few hours in which it loses some percent. */
    FRAGILE,
    /** Follows ether. */
    ETHER
  }

  /** All coins. Cardano, Tron and staked ether have about the same weight: they compete for the top ten. */
  public static final List<Coin> ALL = List.of(
      coin("bitcoin", "btc", "Bitcoin", 97_000, 19.8e6, 0.03),
      coin("ethereum", "eth", "Ethereum", 3_400, 120.4e6, 0.06),
      new Coin("tether", "usdt", "Tether", 1, 140e9, 0.6, PriceModel.STABLE),
      coin("ripple", "xrp", "XRP", 2.3, 57e9, 0.05),
      coin("binancecoin", "bnb", "BNB", 680, 145e6, 0.02),
      coin("solana", "sol", "Solana", 190, 480e6, 0.05),
      coin("dogecoin", "doge", "Dogecoin", 0.32, 147e9, 0.06),
      new Coin("usd-coin", "usdc", "USDC", 1, 45e9, 0.2, PriceModel.STABLE),
      new Coin("staked-ether", "steth", "Lido Staked Ether", 3_400, 9.4e6, 0.003, PriceModel.ETHER),
      coin("cardano", "ada", "Cardano", 0.9, 35.4e9, 0.03),
      coin("tron", "trx", "TRON", 0.37, 86.2e9, 0.03),
      coin("avalanche-2", "avax", "Avalanche", 38, 410e6, 0.04),
      coin("chainlink", "link", "Chainlink", 22, 638e6, 0.05),
      coin("stellar", "xlm", "Stellar", 0.42, 30.5e9, 0.04),
      coin("polkadot", "dot", "Polkadot", 7, 1.53e9, 0.04),
      coin("bitcoin-cash", "bch", "Bitcoin Cash", 450, 19.8e6, 0.05),
      coin("litecoin", "ltc", "Litecoin", 110, 75.4e6, 0.08),
      coin("uniswap", "uni", "Uniswap", 13, 600e6, 0.05),
      new Coin("pepe", "pepe", "Pepe", 0.000018, 420.69e12, 0.25, PriceModel.VOLATILE),
      new Coin("dai", "dai", "Dai", 1, 5.3e9, 0.03, PriceModel.STABLE),
      coin("polygon-ecosystem-token", "pol", "POL (ex-MATIC)", 0.48, 8.3e9, 0.04),
      new Coin("bonk", "bonk", "Bonk", 0.00003, 76e12, 0.2, PriceModel.VOLATILE),
      new Coin("dogwifcoin", "wif", "dogwifhat", 1.9, 998.8e6, 0.3, PriceModel.VOLATILE),
      coin("eos", "eos", "EOS", 0.75, 1.53e9, 0.1),
      new Coin("frax", "frax", "Frax", 1, 650e6, 0.02, PriceModel.FRAGILE),
      coin("yearn-finance", "yfi", "yearn.finance", 8_200, 33_900, 0.1));

  private static Coin coin(String id, String symbol, String name, double price, double supply, double turnover) {
    return new Coin(id, symbol, name, price, supply, turnover, PriceModel.FREE);
  }

  /** Whether it is meant to cost one dollar. */
  public boolean isStable() {
    return model == PriceModel.STABLE || model == PriceModel.FRAGILE;
  }
}
