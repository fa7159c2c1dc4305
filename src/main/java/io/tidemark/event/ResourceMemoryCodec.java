package io.tidemark.event;

import io.tidemark.event.RecordWriter.BinaryOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import org.apache.avro.SchemaNormalization;
import org.jspecify.annotations.NullMarked;

/**
 * The bytes of a {@link ResourceMemory} in a state: Avro's format of single objects, as the class itself reads and writes
 * it, in a fraction of the time.
 */
@NullMarked
public final class ResourceMemoryCodec {
  /** What the bytes begin with where the schema is the one of today: a mark, and the fingerprint of the schema. */
  private static final byte[] HEADER = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN)
      .putShort((short) 0x01C3).putLong(SchemaNormalization.parsingFingerprint64(ResourceMemory.getClassSchema()))
      .array();

  private static final int MAX_REUSED_BYTES = 1 << 20;

  private static final ThreadLocal<BinaryOutput> BUFFER = ThreadLocal.withInitial(BinaryOutput::new);
  private static final RecordWriter WRITER = new RecordWriter(ResourceMemory.getClassSchema());
  private static final RecordReader READER = new RecordReader(ResourceMemory.getClassSchema());

  private static final RecordReader VISIBILITY_READER = new RecordReader(ResourceMemory.getClassSchema(),
      Set.of("facets", "facets.facet", "removed", "visible")::contains);

  private ResourceMemoryCodec() {}

  /**
   * The memory that the bytes of a state are.
   *
   * @throws IOException if they are none
   * @throws RuntimeException if they are none
   */
  public static ResourceMemory read(ByteBuffer bytes) throws IOException {
    return read(bytes, READER);
  }

  /**
   * The same with only its visibility: the names of the facets that were observed, whether it is visible, and why it was
   * removed.
   *
   * @throws IOException if the bytes are none
   * @throws RuntimeException if the bytes are none
   */
  public static ResourceMemory readVisibility(ByteBuffer bytes) throws IOException {
    return read(bytes, VISIBILITY_READER);
  }

  private static ResourceMemory read(ByteBuffer bytes, RecordReader reader) throws IOException {
    var all = array(bytes);
    var header = Math.min(HEADER.length, all.length);
    return Arrays.equals(HEADER, 0, HEADER.length, all, 0, header)
        ? (ResourceMemory) reader.read(all, header)
        : ResourceMemory.getDecoder().decode(all);
  }

  /** The bytes of a buffer: not copied where they are a whole array, as in a decoded state. */
  private static byte[] array(ByteBuffer bytes) {
    return bytes.hasArray() && bytes.arrayOffset() == 0 && bytes.remaining() == bytes.array().length
        ? bytes.array()
        : AvroRecords.bytes(bytes);
  }

  /** The bytes of a memory, for a state. */
  public static ByteBuffer write(ResourceMemory memory) {
    var out = BUFFER.get();
    out.reset();
    out.write(HEADER);
    WRITER.write(memory, out);
    if (out.capacity() > MAX_REUSED_BYTES) {
      BUFFER.remove();
    }
    return ByteBuffer.wrap(out.toBytes());
  }
}
