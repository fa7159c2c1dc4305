package io.tidemark.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The bytes of a body. What is derived from them is made when it is first needed, and kept. */
final class ReplyBody {
  private static final int TAG_BYTES = 16;

  private final byte[] bytes;
  private volatile @Nullable String entityTag;
  private volatile byte @Nullable [] compressed;

  /** @param bytes nobody changes them any more */
  ReplyBody(byte[] bytes) {
    this.bytes = bytes;
  }

  int length() {
    return bytes.length;
  }

  /** What it takes at most, with its compressed form: that of a short body can be longer. */
  int mostBytes() {
    return 2 * bytes.length;
  }

  /** Read only. */
  ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** To be written to a connection. */
  ByteBuf toByteBuf() {
    return Unpooled.wrappedBuffer(bytes);
  }

  /** The same, compressed with gzip. */
  ByteBuf toCompressedByteBuf() {
    var known = compressed;
    if (known == null) {
      known = gzip(bytes);
      compressed = known;
    }
    return Unpooled.wrappedBuffer(known);
  }

  /** A weak one, as the service's: the same for a body that is compressed. */
  String entityTag() {
    var known = entityTag;
    if (known == null) {
      known = entityTag(bytes);
      entityTag = known;
    }
    return known;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReplyBody body && Arrays.equals(bytes, body.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  private static String entityTag(byte[] bytes) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "W/\"" + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] gzip(byte[] bytes) {
    var compressed = new ByteArrayOutputStream(bytes.length / 2);
    try (var gzip = new GZIPOutputStream(compressed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }
}
