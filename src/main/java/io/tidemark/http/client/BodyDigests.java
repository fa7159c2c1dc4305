package io.tidemark.http.client;

import com.google.common.hash.Hashing;
import io.tidemark.market.Query;
import java.util.Arrays;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of bodies. It is not computed where a body is the last one of its query, byte for byte: the last bodies are
 * kept, up to a number of bytes together, those of the queries polled last. Thread-safe.
 */
public final class BodyDigests {
  /** Some five hundred pages of 20 pools. */
  public static final long DEFAULT_BYTES = 16 << 20;

  private final long mostBytes;

  /** The least recently used first. */
  private final LinkedHashMap<Query<?>, KnownBody> known = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;

  /** A body, never altered, with its digest. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a record
  private record KnownBody(byte[] body, String digest) {}

  /** @param mostBytes how large the bodies that are kept may be together; 0 keeps none */
  public BodyDigests(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * The SHA-256 of a body, hexadecimal.
   *
   * @param query that the body answers
   * @param body not altered afterwards
   */
  String of(Query<?> query, byte[] body) {
    var last = last(query);
    if (last != null && Arrays.equals(last.body(), body)) {
      return last.digest();
    }
    var digest = Hashing.sha256().hashBytes(body).toString();
    keep(query, new KnownBody(body, digest));
    return digest;
  }

  private synchronized @Nullable KnownBody last(Query<?> query) {
    return known.get(query);
  }

  private synchronized void keep(Query<?> query, KnownBody body) {
    var replaced = known.put(query, body);
    bytes += body.body().length - (replaced == null ? 0 : replaced.body().length);
    while (bytes > mostBytes) {
      bytes -= known.pollFirstEntry().getValue().body().length;
    }
  }

  /** How large the bodies that are kept are together. */
  synchronized long bytes() {
    return bytes;
  }
}
