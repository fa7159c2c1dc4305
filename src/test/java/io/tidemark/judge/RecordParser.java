package io.tidemark.judge;

import io.tidemark.judge.Event.Change;
import io.tidemark.judge.Event.Content;
import io.tidemark.judge.Event.Facet;
import io.tidemark.judge.Event.Other;
import io.tidemark.judge.Event.Position;
import io.tidemark.judge.Event.Snapshot;
import io.tidemark.judge.Event.State;
import io.tidemark.judge.Event.Tombstone;
import io.tidemark.judge.Event.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Parses records as docs/using/consumers.md describes them, with the schemas that the program published. */
final class RecordParser {

  /** What the topic of schemas has; the documentation promises that it never changes. */
  private static final Schema PUBLISHED = new Schema.Parser().parse("""
      {"type": "record", "name": "PublishedSchema", "fields": [
        {"name": "id", "type": "int"}, {"name": "name", "type": "string"}, {"name": "text", "type": "string"}]}""");

  private static final int PREFIX = 5;

  private final String prefix;
  private final Map<Integer, GenericDatumReader<GenericRecord>> readers = new HashMap<>();

  /** @param prefix first part of the names of the topics */
  RecordParser(String prefix) {
    this.prefix = prefix;
  }

  /** Learns a schema from a value of the topic of schemas. */
  void learn(ByteBuffer value) {
    var published = read(reader(PUBLISHED), value);
    readers.put((Integer) published.get("id"),
        reader(new Schema.Parser().parse(published.get("text").toString())));
  }

  /** Returns a reader without the conversions that the program may have set for this process. */
  private static GenericDatumReader<GenericRecord> reader(Schema schema) {
    return new GenericDatumReader<>(schema, schema, new GenericData());
  }

  Content parse(String topic, @Nullable ByteBuffer value, Header[] headers) {
    var name = topic.substring(prefix.length());
    if (value == null) {
      return new Tombstone();
    } else if (name.endsWith(".changes")) {
      return change(record(value), headers);
    } else if (name.equals("target.state")) {
      return new Snapshot((Long) record(value).get("snapshot"));
    } else if (name.equals("source.state")) {
      return position(record(value));
    } else if (name.endsWith(".state")) {
      var state = record(value);
      return new State(version(state), facets((GenericRecord) state.get("known")));
    }
    return new Other();
  }

  private GenericRecord record(ByteBuffer value) {
    var id = value.getInt(value.position() + 1);
    var reader = readers.get(id);
    if (reader == null) {
      throw new AssertionError("no schema " + id + " was published");
    }
    return read(reader, value);
  }

  private static GenericRecord read(GenericDatumReader<GenericRecord> reader, ByteBuffer value) {
    var bytes = new byte[value.remaining() - PREFIX];
    value.duplicate().position(value.position() + PREFIX).get(bytes);
    try {
      return reader.read(null, DecoderFactory.get().binaryDecoder(bytes, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Change change(GenericRecord change, Header[] headers) {
    var origin = (GenericRecord) change.get("origin");
    var facets = new HashMap<String, Facet>();
    for (var field : change.getSchema().getFields()) {
      if (change.get(field.pos()) instanceof GenericRecord facet && facet.hasField("before") && facet.hasField("after")
          && !field.name().equals("extra")) {
        facets.put(field.name(), new Facet(digest(facet.get("before")), digest(facet.get("after"))));
      }
    }
    var id = Stream.of(headers).filter(each -> each.key().equals("id"))
        .map(each -> new String(each.value(), StandardCharsets.UTF_8)).findFirst().orElse(null);
    return new Change(id, version(change), origin.get("target").toString(), (Long) origin.get("snapshot"), facets);
  }

  private static Version version(GenericRecord record) {
    return new Version((Long) record.get("generation"), (Long) record.get("revision"));
  }

  private static Map<String, Integer> facets(GenericRecord known) {
    var facets = new HashMap<String, Integer>();
    known.getSchema().getFields().forEach(field -> facets.put(field.name(), digest(known.get(field.pos()))));
    return facets;
  }

  private static int digest(@Nullable Object value) {
    return value == null ? 0 : value.toString().hashCode();
  }

  private Position position(GenericRecord source) {
    var ends = new HashMap<TopicPartition, Long>();
    for (var each : (List<?>) source.get("state_topics")) {
      var topic = (GenericRecord) each;
      var offsets = (List<?>) topic.get("ends");
      for (int partition = 0; partition < offsets.size(); partition++) {
        ends.put(new TopicPartition(prefix + topic.get("topic"), partition), (Long) offsets.get(partition));
      }
    }
    return new Position((Long) source.get("started_at"), ends);
  }
}
