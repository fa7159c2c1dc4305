package io.tidemark.market;

/** A limit on the list of asset platforms. */
public enum PlatformFilter implements WireValue {
  NFT
}
