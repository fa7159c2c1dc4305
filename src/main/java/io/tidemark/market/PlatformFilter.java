package io.tidemark.market;

/** A limit on the list of asset platforms. */
public enum PlatformFilter implements WireValue {
  NFT("nft");

  private final String wire;

  PlatformFilter(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
