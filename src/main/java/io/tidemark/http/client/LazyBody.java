package io.tidemark.http.client;

import io.tidemark.market.Body;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A body from the wire, decoded when it is first read. */
final class LazyBody<A> implements Body<A> {
  private final byte[] raw;
  private final Supplier<A> decoding;
  private @Nullable A decoded;

  LazyBody(byte[] raw, Supplier<A> decoding) {
    this.raw = raw;
    this.decoding = decoding;
  }

  @Override
  public synchronized A read() {
    if (decoded == null) {
      decoded = decoding.get();
    }
    return decoded;
  }

  @Override
  public byte[] raw() {
    return raw;
  }
}
