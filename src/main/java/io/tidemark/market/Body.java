package io.tidemark.market;

/** What an answer says, decoded on first use. */
public interface Body<A> {
  /**
   * The decoded answer.
   *
   * @throws Failure.Unreadable with the raw bytes where it is not what the document says
   */
  A read();

  /** The bytes as they came, decompressed; empty where the answer never was on a wire. */
  byte[] raw();

  /** A body that never was on a wire. */
  static <A> Body<A> of(A value) {
    return new Body<>() {
      @Override
      public A read() {
        return value;
      }

      @Override
      public byte[] raw() {
        return new byte[0];
      }
    };
  }
}
