package io.tidemark.market;

/** Order of a coin's tickers; the first is the default. */
public enum TickerOrder implements WireValue {
  TRUST_SCORE_DESC,
  TRUST_SCORE_ASC,
  VOLUME_DESC,
  VOLUME_ASC
}
