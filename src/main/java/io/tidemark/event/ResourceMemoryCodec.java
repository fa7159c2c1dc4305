package io.tidemark.event;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongFunction;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.message.BadHeaderException;
import org.jspecify.annotations.NullMarked;

/**
 * A codec that converts a {@link ResourceMemory} to and from the bytes in a state, in Avro's single-object encoding.
 * Avro's own decoder of this encoding is not used, because it allocates memory for any length that the bytes specify,
 * and the bytes are not trusted.
 */
@NullMarked
public final class ResourceMemoryCodec {
  /** First two bytes of the encoding. The fingerprint of the schema follows. */
  private static final short MARKER = 0x01C3;
  private static final int HEADER_BYTES = Short.BYTES + Long.BYTES;

  private static final RecordCodec<ResourceMemory> CODEC = RecordCodec.of(ResourceMemory.class);
  private static final long FINGERPRINT = SchemaNormalization.parsingFingerprint64(CODEC.schema());

  private ResourceMemoryCodec() {}

  /**
   * Reads the detection memory from the bytes in a state.
   *
   * @throws RuntimeException if the bytes are not a detection memory, or were written with another version of the
   *     schema
   */
  public static ResourceMemory read(ByteBuffer bytes) {
    return read(AvroRecords.bytes(bytes), fingerprint -> {
      throw new BadHeaderException("the detection memory was written with another version of its schema");
    });
  }

  /**
   * Reads the detection memory from the bytes in a state, which any version of the program may have written, and
   * returns the bytes of the same memory in the schema of this version.
   *
   * @param versions returns the codec that reads the schema with a fingerprint, which is not the schema of this version
   * @throws RuntimeException if the bytes are not a detection memory, or {@code versions} throws
   */
  public static ByteBuffer toThisVersion(ByteBuffer bytes, LongFunction<RecordCodec<ResourceMemory>> versions) {
    var all = AvroRecords.bytes(bytes);
    var memory = read(all, versions);
    return fingerprint(all) == FINGERPRINT ? bytes : write(memory);
  }

  private static ResourceMemory read(byte[] all, LongFunction<RecordCodec<ResourceMemory>> versions) {
    var fingerprint = fingerprint(all);
    var codec = fingerprint == FINGERPRINT ? CODEC : versions.apply(fingerprint);
    return codec.read(all, HEADER_BYTES);
  }

  private static long fingerprint(byte[] all) {
    var header = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    if (all.length < HEADER_BYTES || header.getShort() != MARKER) {
      throw new BadHeaderException("the bytes are not a detection memory");
    }
    return header.getLong();
  }

  public static ByteBuffer write(ResourceMemory memory) {
    try {
      return ResourceMemory.getEncoder().encode(memory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
