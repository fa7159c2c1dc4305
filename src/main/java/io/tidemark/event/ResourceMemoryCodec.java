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
 * The bytes of a {@link ResourceMemory} in a state: Avro's format of single objects. Avro's own decoder of that format
 * makes room for any length that the bytes name, and they may be anyone's.
 */
@NullMarked
public final class ResourceMemoryCodec {
  /** What the bytes begin with: a mark, and the fingerprint of the schema. */
  private static final byte[] HEADER = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN)
      .putShort((short) 0x01C3).putLong(SchemaNormalization.parsingFingerprint64(ResourceMemory.getClassSchema()))
      .array();

  private static final RecordCodec<ResourceMemory> CODEC = RecordCodec.of(ResourceMemory.class);

  private ResourceMemoryCodec() {}

  /**
   * The memory that the bytes of a state are.
   *
   * @throws RuntimeException if they are none, or of another version
   */
  public static ResourceMemory read(ByteBuffer bytes) {
    var all = AvroRecords.bytes(bytes);
    if (!Arrays.equals(HEADER, Arrays.copyOf(all, HEADER.length))) {
      throw new BadHeaderException("a detection memory of another version");
    }
    return CODEC.read(all, HEADER.length);
  }

  /** The bytes of a memory, for a state. */
  public static ByteBuffer write(ResourceMemory memory) {
    try {
      return ResourceMemory.getEncoder().encode(memory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
