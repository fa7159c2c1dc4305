package io.tidemark.simulator.coin;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A platform as it stands at one time. */
record PlatformRow(
    String id, @Nullable Long chain, String name, String shortname, @Nullable String nativeCoin, boolean nft) {
  /** Those that nobody touches. */
  static final List<PlatformRow> SETTLED = List.of(
      new PlatformRow("ethereum", 1L, "Ethereum", "Ethereum", "ethereum", true),
      new PlatformRow("solana", null, "Solana", "", "solana", true),
      new PlatformRow("base", 8_453L, "Base", "base", "ethereum", true),
      new PlatformRow("binance-smart-chain", 56L, "BNB Smart Chain", "BSC", "binancecoin", true),
      new PlatformRow("polygon-pos", 137L, "Polygon POS", "MATIC", "polygon-ecosystem-token", true),
      new PlatformRow("", null, "Ordinals", "", "bitcoin", true));

  /** Those that editors retouch. */
  static final List<PlatformRow> RETOUCHED = List.of(
      new PlatformRow("avalanche", 43_114L, "Avalanche", "AVAX", "avalanche-2", true),
      new PlatformRow("arbitrum-one", 42_161L, "Arbitrum One", "Arbitrum", "ethereum", true),
      new PlatformRow("optimistic-ethereum", 10L, "Optimism", "Optimism", "ethereum", true),
      new PlatformRow("cardano", null, "Cardano", "", "cardano", false),
      new PlatformRow("tron", null, "TRON", "", "tron", false),
      new PlatformRow("stellar", null, "Stellar", "", "stellar", false),
      new PlatformRow("polkadot", null, "Polkadot", "", "polkadot", false),
      new PlatformRow("eos-evm", 17_777L, "EOS EVM", "", "eos", false),
      new PlatformRow("frame-chain", 90_210L, "Frame Chain", "frame", null, true));

  static final List<String> WORDS = List.of("Amber", "Basalt", "Cobalt", "Delta", "Ember", "Fjord", "Granite", "Halo");
  static final List<String> KINDS = List.of("Chain", "Network", "Rollup", "L2", "Mainnet");

  private static final int PLACES = 3;

  /** This one after so many visits of an editor, who looks at another attribute each time. */
  PlatformRow edited(long visits) {
    boolean flipped = odd(visits, 0);
    String short2 = odd(visits, 1) ? shortname.isEmpty() ? name.toLowerCase(Locale.ROOT) : "" : shortname;
    String name2 = odd(visits, 2) ? name + " Mainnet" : name;
    return new PlatformRow(id, chain, name2, short2, nativeCoin, nft != flipped);
  }

  private static boolean odd(long visits, int place) {
    return Math.floorMod(Math.floorDiv(visits + place, PLACES), 2) == 1;
  }

  /** Key of the resource: the id where there is one. */
  String key() {
    return id.isEmpty() ? "name:" + name : id;
  }

  String slug() {
    return id.isEmpty() ? name.toLowerCase(Locale.ROOT) : id;
  }
}
