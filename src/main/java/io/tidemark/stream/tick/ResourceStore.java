package io.tidemark.stream.tick;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.ResourceSections;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A store of one record for each resource, with a section of bytes for each part of a task, such as its candles. While
 * consecutive calls are for one resource, its record is read once and put once, however many parts read and change it.
 * Sections that no part asks for are not decoded.
 */
public final class ResourceStore {

  public static final String NAME = "resources";

  private final KeyValueStore<String, ResourceSections> store;
  private @Nullable String key;
  private Map<String, ByteBuffer> sections = new HashMap<>();
  private boolean isChanged;

  public ResourceStore(ProcessingContext context) {
    this.store = context.getStateStore(NAME);
  }

  /** Returns the state store that holds the records. */
  public static StoreBuilder<?> store(SchemaRegistry registry) {
    return StateStores.onDisk(NAME, new AvroSerde<>(ResourceSections.class, registry));
  }

  /** Values of one type, by resource key. */
  public interface Section<V> {

    @Nullable
    V get(String key);

    /** Replaces the value of a resource, or deletes it if {@code value} is null. */
    void put(String key, @Nullable V value);
  }

  /** Returns the section with the given name, in the records of all resources. */
  public <V extends SpecificRecord> Section<V> section(String name, Class<V> type, SchemaRegistry registry) {
    var serde = new AvroSerde<>(type, registry);
    return new Section<>() {
      @Override
      public @Nullable V get(String key) {
        var bytes = ResourceStore.this.get(key, name);
        return bytes == null ? null : serde.decode(name, bytes);
      }

      @Override
      public void put(String key, @Nullable V value) {
        ResourceStore.this.put(key, name, value == null ? null : serde.encode(name, value));
      }
    };
  }

  /** Returns the bytes of a section of a resource, or null if the resource has no such section. */
  public byte @Nullable [] get(String resource, String section) {
    open(resource);
    var bytes = sections.get(section);
    return bytes == null ? null : AvroRecords.bytes(bytes);
  }

  /**
   * Replaces a section of a resource, or deletes it if {@code bytes} is null. The change reaches the store with
   * {@link #save}, or with the next call for another resource.
   */
  public void put(String resource, String section, byte @Nullable [] bytes) {
    open(resource);
    var before = bytes == null ? sections.remove(section) : sections.put(section, ByteBuffer.wrap(bytes));
    isChanged |= bytes != null || before != null;
  }

  private void open(String resource) {
    if (!resource.equals(key)) {
      save();
      var known = store.get(resource);
      sections = known == null ? new HashMap<>() : known.getSections();
      key = resource;
    }
  }

  /**
   * Puts the record that was changed last into the store, unless its changes are already there. If the put fails, the
   * changes of the record are discarded.
   */
  public void save() {
    var changed = key;
    if (isChanged && changed != null) {
      isChanged = false;
      key = null;
      store.put(changed, sections.isEmpty() ? null : new ResourceSections(sections));
      key = changed;
    }
  }
}
