package io.tidemark.event;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
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
  /** First bytes of the encoding: a marker and the fingerprint of the schema. */
  private static final byte[] HEADER = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN)
      .putShort((short) 0x01C3).putLong(SchemaNormalization.parsingFingerprint64(ResourceMemory.getClassSchema()))
      .array();

  private static final RecordCodec<ResourceMemory> CODEC = RecordCodec.of(ResourceMemory.class);

  private ResourceMemoryCodec() {}

  /**
   * Reads the detection memory from the bytes in a state.
   *
   * @throws RuntimeException if the bytes are not a detection memory, or were written with another version of the
   *     schema
   */
  public static ResourceMemory read(ByteBuffer bytes) {
    var all = AvroRecords.bytes(bytes);
    if (!Arrays.equals(HEADER, Arrays.copyOf(all, HEADER.length))) {
      throw new BadHeaderException("the detection memory was written with another version of its schema");
    }
    return CODEC.read(all, HEADER.length);
  }

  public static ByteBuffer write(ResourceMemory memory) {
    try {
      return ResourceMemory.getEncoder().encode(memory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
