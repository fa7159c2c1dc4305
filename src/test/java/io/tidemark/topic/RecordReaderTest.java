package io.tidemark.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.RecordReader;
import io.tidemark.event.Removed;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.ResourceMemoryCodec;
import io.tidemark.event.TargetObservation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The law of the reader: its records are those of Avro's own reader, and bytes that are no record are an error. */
class RecordReaderTest {
  static {
    AvroSettings.apply();
  }

  static final int OFFSET = 5;

  static Stream<Schema> allSchemas() {
    return RecordWriterTest.allSchemas();
  }

  @ParameterizedTest
  @MethodSource("allSchemas")
  void record_isThatOfAvro(Schema schema) throws IOException {
    var reader = new RecordReader(schema);
    for (var each : new RandomData(schema, RecordWriterTest.RECORDS_OF_EACH, RecordWriterTest.SEED, true)) {
      var out = new ByteArrayOutputStream();
      out.writeBytes(new byte[OFFSET]);
      var plain = bytes(schema, each, out, EncoderFactory.get().binaryEncoder(out, null));

      assertThat(reader.read(plain, OFFSET)).isEqualTo(avro(schema, plain));
      reader.check(plain, OFFSET);
    }
  }

  /** Avro may write a list in blocks, each with its size. */
  @ParameterizedTest
  @MethodSource("allSchemas")
  void recordInBlocks_isThatOfAvro(Schema schema) throws IOException {
    var reader = new RecordReader(schema);
    for (var each : new RandomData(schema, RecordWriterTest.RECORDS_OF_EACH, RecordWriterTest.SEED, true)) {
      var out = new ByteArrayOutputStream();
      out.writeBytes(new byte[OFFSET]);
      var blocks = bytes(schema, each, out,
          new EncoderFactory().configureBlockSize(64).blockingBinaryEncoder(out, null));

      assertThat(reader.read(blocks, OFFSET)).isEqualTo(avro(schema, blocks));
      reader.check(blocks, OFFSET);
    }
  }

  @ParameterizedTest
  @MethodSource("allSchemas")
  void recordWithoutItsEnd_isAnError(Schema schema) throws IOException {
    var reader = new RecordReader(schema);
    var record = new RandomData(schema, 1, RecordWriterTest.SEED, true).iterator().next();
    var out = new ByteArrayOutputStream();
    var bytes = bytes(schema, record, out, EncoderFactory.get().binaryEncoder(out, null));
    for (var length = 0; length < bytes.length; length++) {
      var beginning = Arrays.copyOf(bytes, length);

      assertThatThrownBy(() -> reader.read(beginning, 0)).isInstanceOf(RuntimeException.class);
      assertThatThrownBy(() -> reader.check(beginning, 0)).isInstanceOf(RuntimeException.class);
    }
  }

  /** All but the first: what is read lies behind what is passed over. */
  @ParameterizedTest
  @MethodSource("allSchemas")
  void unwantedFields_arePassedOver(Schema schema) throws IOException {
    var first = schema.getFields().getFirst().name();
    var reader = new RecordReader(schema, path -> !path.startsWith(first));
    for (var each : new RandomData(schema, RecordWriterTest.RECORDS_OF_EACH, RecordWriterTest.SEED, true)) {
      var out = new ByteArrayOutputStream();
      out.writeBytes(new byte[OFFSET]);
      var plain = bytes(schema, each, out, EncoderFactory.get().binaryEncoder(out, null));
      var read = reader.read(plain, OFFSET);
      var whole = avro(schema, plain);
      for (var field : schema.getFields()) {
        assertThat(read.get(field.pos())).isEqualTo(
            (field.name().startsWith(first) ? AvroRecords.blank(schema) : whole).get(field.pos()));
      }
    }
  }

  @Test
  void unwantedFieldsOfElements_arePassedOver() throws IOException {
    var facet = FacetMemory.newBuilder().setFacet("price").setInformant(3).setObservedAt(Instant.EPOCH)
        .setObservations(List.of(new TargetObservation(3, 7L))).build();
    var memory = ResourceMemory.newBuilder()
        .setTargets(List.of("target")).setFacets(List.of(facet, facet)).setVisible(false).setRemoved("gone").build();

    var read = ResourceMemoryCodec.readVisibility(ResourceMemoryCodec.write(memory));

    assertThat(read.getFacets()).extracting(FacetMemory::getFacet, FacetMemory::getInformant)
        .containsExactly(tuple("price", 0), tuple("price", 0));
    assertThat(read.getRemoved()).isEqualTo("gone");
    assertThat(read.getVisible()).isFalse();
    assertThat(read.getTargets()).isNull();
    assertThat(ResourceMemoryCodec.write(memory)).isEqualTo(ResourceMemory.getEncoder().encode(memory));
    assertThat(ResourceMemoryCodec.read(ResourceMemory.getEncoder().encode(memory))).isEqualTo(memory);
  }

  @Test
  void lengthBeyondTheEnd_isAnError_withoutRoomForIt() {
    var reader = new RecordReader(Removed.getClassSchema());
    byte[] large = {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 'x'};
    byte[] negative = {0x01, 'x'};
    byte[] endless = new byte[20];
    Arrays.fill(endless, (byte) 0xff);

    assertThatThrownBy(() -> reader.read(large, 0)).hasMessage("2147483647 more, where 1 bytes are left");
    assertThatThrownBy(() -> reader.read(negative, 0)).hasMessage("-1 more, where 1 bytes are left");
    assertThatThrownBy(() -> reader.read(endless, 0)).hasMessage("a number of more than ten bytes");
  }

  private static byte[] bytes(Schema schema, Object record, ByteArrayOutputStream out, Encoder encoder)
      throws IOException {
    new GenericDatumWriter<>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static SpecificRecord avro(Schema schema, byte[] bytes) throws IOException {
    var decoder = DecoderFactory.get().binaryDecoder(bytes, OFFSET, bytes.length - OFFSET, null);
    return new SpecificDatumReader<SpecificRecord>(schema, schema, SpecificData.getForSchema(schema))
        .read(null, decoder);
  }
}
