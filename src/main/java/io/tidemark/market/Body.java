package io.tidemark.market;

/** The body of an answer, decoded on first use. */
public interface Body<A> {
  /**
   * The decoded answer.
   *
   * @throws Failure.Unreadable with the raw bytes where the body is not as the document describes it
   */
  A read();

  /** The bytes as received, decompressed; empty where the body was not received over the network. */
  byte[] raw();

  /** A body that was not received over the network. */
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
