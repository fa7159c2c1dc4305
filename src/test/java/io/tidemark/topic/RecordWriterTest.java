package io.tidemark.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.AvroSettings;
import io.tidemark.event.RecordWriter;
import io.tidemark.event.RecordWriter.BinaryOutput;
import io.tidemark.event.Removed;
import io.tidemark.event.ResourceMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.util.RandomData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The law of the writer: its bytes are those of Avro's own writer, for every record that Tidemark writes. */
class RecordWriterTest {
  static {
    AvroSettings.apply();
  }

  static final int RECORDS_OF_EACH = 30;
  static final int SEED = 7;

  static Stream<Schema> schemas() {
    var topics = new Topics("t.", Retention.DEFAULT).all().stream();
    return Stream.of(topics, Topics.OF_CLUSTER.stream()).flatMap(each -> each).<Schema>map(Topic::schema).distinct();
  }

  static Stream<Schema> allSchemas() {
    return Stream.concat(schemas(), Stream.of(ResourceMemory.getClassSchema()));
  }

  @ParameterizedTest
  @MethodSource("allSchemas")
  void bytes_areThoseOfAvro(Schema schema) throws IOException {
    var writer = new RecordWriter(schema);
    var out = new BinaryOutput();
    for (var each : new RandomData(schema, RECORDS_OF_EACH, SEED, true)) {
      var record = specific(schema, each);
      out.reset();
      writer.write(record, out);

      assertThat(out.toBytes()).isEqualTo(avro(record));
    }
  }

  @Test
  void textBeyondAscii_isUtf8_andHalfASurrogatePairAQuestionMark() throws IOException {
    var writer = new RecordWriter(Removed.getClassSchema());
    for (var text : List.of("", "é", "ascii, then ünïcödé", "\uD83D\uDC38 pepe", "half \uD83D", "x".repeat(5_000))) {
      var out = new BinaryOutput();
      writer.write(new Removed(text), out);

      assertThat(out.toBytes()).isEqualTo(avro(new Removed(text)));
    }
  }

  @Test
  void missingValue_isNamed() {
    var writer = new RecordWriter(Removed.getClassSchema());

    assertThatThrownBy(() -> writer.write(new Removed(), new BinaryOutput()))
        .hasMessage("no value for io.tidemark.event.Removed.reason");
  }

  /** The same values as a record of the generated class. */
  private static SpecificRecord specific(Schema schema, Object generic) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<>(schema).write(generic, encoder);
    encoder.flush();
    var reader = new SpecificDatumReader<SpecificRecord>(schema, schema, data(schema));
    return reader.read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
  }

  private static byte[] avro(SpecificRecord record) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new SpecificDatumWriter<SpecificRecord>(record.getSchema(), data(record.getSchema())).write(record, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static SpecificData data(Schema schema) {
    return SpecificData.getForSchema(schema);
  }
}
