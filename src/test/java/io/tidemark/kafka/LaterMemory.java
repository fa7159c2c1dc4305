package io.tidemark.kafka;

import io.tidemark.event.ResourceMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.EncoderFactory;

/** The detection memory of a later version, which has one more field, before all others. */
public final class LaterMemory {

  public static final Schema SCHEMA = new Schema.Parser().parse(ResourceMemory.getClassSchema().toString()
      .replace("\"fields\":[{\"name\":\"targets\"",
          "\"fields\":[{\"name\":\"later\",\"type\":\"string\",\"default\":\"\"},{\"name\":\"targets\""));

  private LaterMemory() {}

  /** Encodes a memory as the later version does. */
  public static ByteBuffer write(ResourceMemory memory) throws IOException {
    var later = new GenericData.Record(SCHEMA);
    later.put("later", "news");
    memory.getSchema().getFields().forEach(field -> later.put(field.name(), memory.get(field.pos())));
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN).putShort((short) 0x01C3)
        .putLong(SchemaNormalization.parsingFingerprint64(SCHEMA)).array());
    var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<>(SCHEMA, memory.getSpecificData()).write(later, encoder);
    encoder.flush();
    return ByteBuffer.wrap(bytes.toByteArray());
  }
}
