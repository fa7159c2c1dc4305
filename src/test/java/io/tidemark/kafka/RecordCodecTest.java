package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.AvroSettings;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.RecordCodec;
import io.tidemark.event.Removed;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.ResourceMemoryCodec;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetObservation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records are read as they were written, and bytes that are no record are an error that takes no memory. */
class RecordCodecTest {
  static {
    AvroSettings.apply();
  }

  static final int RECORDS_OF_EACH = 30;
  static final int SEED = 7;
  static final int OFFSET = 5;

  static Stream<Schema> allSchemas() {
    var topics =
        Stream.concat(new Topics("t.", Retention.DEFAULT).all().stream(), ClusterTopics.UNPREFIXED.all().stream());
    return Stream.concat(topics.<Schema>map(Topic::schema).distinct(), Stream.of(ResourceMemory.getClassSchema()));
  }

  @ParameterizedTest
  @MethodSource("allSchemas")
  void writtenRecord_isReadAsItWas(Schema schema) throws IOException {
    var codec = codec(schema);
    for (var each : new RandomData(schema, RECORDS_OF_EACH, SEED, true)) {
      var out = new ByteArrayOutputStream();
      out.writeBytes(new byte[OFFSET]);
      var bytes = bytes(schema, each, out, EncoderFactory.get().binaryEncoder(out, null));
      var record = codec.read(bytes, OFFSET);
      var again = new ByteArrayOutputStream();
      again.writeBytes(new byte[OFFSET]);
      codec.write(record, again);

      assertThat(again.toByteArray()).hasSameSizeAs(bytes);
      assertThat(codec.read(again.toByteArray(), OFFSET)).isEqualTo(record);
    }
  }

  /** Avro may write a list in blocks, each with its size. */
  @ParameterizedTest
  @MethodSource("allSchemas")
  void recordInBlocks_isTheSame(Schema schema) throws IOException {
    var codec = codec(schema);
    for (var each : new RandomData(schema, RECORDS_OF_EACH, SEED, true)) {
      var out = new ByteArrayOutputStream();
      var plain = bytes(schema, each, out, EncoderFactory.get().binaryEncoder(out, null));
      var blockOut = new ByteArrayOutputStream();
      var blocks = bytes(schema, each, blockOut,
          new EncoderFactory().configureBlockSize(64).blockingBinaryEncoder(blockOut, null));

      assertThat(codec.read(blocks, 0)).isEqualTo(codec.read(plain, 0));
    }
  }

  @ParameterizedTest
  @MethodSource("allSchemas")
  void recordWithoutItsEnd_isAnError(Schema schema) throws IOException {
    var codec = codec(schema);
    var record = new RandomData(schema, 1, SEED, true).iterator().next();
    var out = new ByteArrayOutputStream();
    var bytes = bytes(schema, record, out, EncoderFactory.get().binaryEncoder(out, null));
    for (var length = 0; length < bytes.length; length++) {
      var beginning = Arrays.copyOf(bytes, length);

      assertThatThrownBy(() -> codec.read(beginning, 0)).isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void lengthBeyondTheEnd_isAnError_withoutRoomForIt() {
    var codec = RecordCodec.of(Removed.class);
    byte[] large = {(byte) 0xe0, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 'x'};
    byte[] negative = {0x01, 'x'};
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0xff);

    assertThatThrownBy(() -> codec.read(large, 0))
        .hasMessageContaining("Attempted to read 2147483632 bytes, but only 1 bytes are available");
    assertThatThrownBy(() -> codec.read(negative, 0)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> codec.read(endless, 0)).isInstanceOf(RuntimeException.class);
  }

  /** One of a block, and one of many small blocks, which Avro counts together. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void countBeyondTheEnd_isAnError_withoutRoomForIt(int blocks) {
    var codec = RecordCodec.of(TargetMembers.class);
    var out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {2, 'x', 2});
    for (var block = 1; block < blocks; block++) {
      out.writeBytes(new byte[] {2, 0});
    }
    out.writeBytes(new byte[] {(byte) 0xe0, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 0});

    assertThatThrownBy(() -> codec.read(out.toByteArray(), 0)).isInstanceOf(RuntimeException.class);
  }

  @Test
  void memory_isInTheFormatOfSingleObjects() throws IOException {
    var facet = FacetMemory.newBuilder().setFacet("price").setInformant(3).setObservedAt(Instant.EPOCH)
        .setObservations(List.of(new TargetObservation(3, 7L))).build();
    var memory = ResourceMemory.newBuilder()
        .setTargets(List.of("target")).setFacets(List.of(facet, facet)).setVisible(false).setRemoved("gone").build();

    assertThat(ResourceMemoryCodec.write(memory)).isEqualTo(ResourceMemory.getEncoder().encode(memory));
    assertThat(ResourceMemoryCodec.read(ResourceMemoryCodec.write(memory))).isEqualTo(memory);
  }

  @Test
  void memoryOfAnotherVersion_isReadWithItsSchema() throws IOException {
    var memory = ResourceMemory.newBuilder().setTargets(List.of("target")).setAbsences(2).build();
    var bytes = LaterMemory.write(memory);

    assertThatThrownBy(() -> ResourceMemoryCodec.read(bytes)).hasMessageContaining("another version");
    var codec = RecordCodec.of(ResourceMemory.class).reading(LaterMemory.SCHEMA);
    assertThat(ResourceMemoryCodec.toThisVersion(bytes, fingerprint -> codec))
        .isEqualTo(ResourceMemoryCodec.write(memory));
  }

  @Test
  void memoryWithALengthBeyondTheEnd_isAnError_withoutRoomForIt() {
    var header = Arrays.copyOf(ResourceMemoryCodec.write(ResourceMemory.newBuilder().build()).array(), 10);
    var bytes = ByteBuffer.allocate(17).put(header)
        .put(new byte[] {2, (byte) 0xe0, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 'x'}).flip();

    assertThatThrownBy(() -> ResourceMemoryCodec.read(bytes)).hasMessageContaining("only 1 bytes are available");
    assertThatThrownBy(() -> ResourceMemoryCodec.read(ByteBuffer.allocate(4)))
        .hasMessageContaining("not a detection memory");
  }

  @SuppressWarnings("unchecked") // a schema has one generated class
  private static RecordCodec<SpecificRecord> codec(Schema schema) {
    return RecordCodec.of((Class<SpecificRecord>) SpecificData.get().getClass(schema));
  }

  private static byte[] bytes(Schema schema, Object record, ByteArrayOutputStream out, Encoder encoder)
      throws IOException {
    new GenericDatumWriter<>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
