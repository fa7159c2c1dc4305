package io.tidemark.market;

/** Things that a market under test is known to have. */
public record KnownIds(
    String network,
    String dex,
    String token,
    String tokenName,
    String pool,
    String coin,
    String dexVenue,
    String spotVenue,
    String derivativesExchange,
    String company,
    String government) {
  /** Those of the simulated market, whatever its seed. */
  public static final KnownIds SIMULATED = new KnownIds(
      "eth",
      "uniswap_v3",
      "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      "wrapped eTHER",
      "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
      "bitcoin",
      "uniswap_v3",
      "binance",
      "deribit",
      "strategy",
      "el-salvador");

  public String poolId() {
    return network + "_" + pool;
  }

  public String tokenId() {
    return network + "_" + token;
  }
}
