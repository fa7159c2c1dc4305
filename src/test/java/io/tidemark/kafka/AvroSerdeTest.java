package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Appeared;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

class AvroSerdeTest {

  static final String TOPIC = "t.removed";
  static final String REMOVED_ID = "%08x".formatted(BuiltInRegistry.idOf(Removed.getClassSchema()));
  static final HexFormat HEX = HexFormat.of();

  final BuiltInRegistry registry = new BuiltInRegistry(List.of());
  final AvroSerde<Removed> serde = new AvroSerde<>(Removed.class, registry);

  @Test
  void value_isZeroThenIdThenBinary() {
    var bytes = serde.encode(TOPIC, new Removed("expired"));

    // Length 7 as a zigzag number, and the letters.
    assertThat(HEX.formatHex(bytes)).isEqualTo("00" + REMOVED_ID + "0e" + "65787069726564");
  }

  @Test
  void encodedValue_isDecoded() {
    var observation = new Visibility(false, Instant.ofEpochMilli(1_700_000_000_123L));
    var visibilities = new AvroSerde<>(Visibility.class, registry);

    var bytes = visibilities.serializer().serialize(TOPIC, observation);

    assertThat(visibilities.deserializer().deserialize(TOPIC, bytes)).isEqualTo(observation);
  }

  @Test
  void tombstone_staysATombstone() {
    assertThat(serde.serializer().serialize(TOPIC, null)).isNull();
    assertThat(serde.deserializer().deserialize(TOPIC, null)).isNull();
  }

  @Test
  void valueOfAnOlderVersion_isDecodedAsThisOne() throws IOException {
    var older =
        SchemaBuilder.record("Appeared").namespace("io.tidemark.event").fields()
            .requiredString("kind").optionalString("removed_at").endRecord();
    registry.addKnown(older);

    var value = new AvroSerde<>(Appeared.class, registry).decode(TOPIC, written(older));

    assertThat(value).isEqualTo(Appeared.newBuilder().setKind("created").build());
  }

  @Test
  void valueOfAnotherProgram_isRejected_withItsTopic() {
    assertThatThrownBy(() -> serde.decode(TOPIC, "{\"reason\":1}".getBytes(UTF_8)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(TOPIC)
        .hasMessageContaining("schema id");
  }

  @Test
  void truncatedValue_isRejected_withItsTopic() {
    var bytes = serde.encode(TOPIC, new Removed("expired"));

    assertThatThrownBy(() -> serde.decode(TOPIC, Arrays.copyOf(bytes, bytes.length - 3)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(TOPIC);
  }

  private static byte[] written(Schema schema) throws IOException {
    var out = new ByteArrayOutputStream();
    out.writeBytes(HEX.parseHex("00" + "%08x".formatted(BuiltInRegistry.idOf(schema))));
    var encoder = EncoderFactory.get().binaryEncoder(out, null);
    var record = new GenericRecordBuilder(schema).set("kind", "created").set("removed_at", "1999").build();
    new GenericDatumWriter<>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
