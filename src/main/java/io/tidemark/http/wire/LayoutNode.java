package io.tidemark.http.wire;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A place in the JSON of a resource, and what of the resource stands there. */
sealed interface LayoutNode {
  /** Paths of the attributes that are null where null stands here. */
  Stream<String> paths();

  /** One attribute. */
  record AttributeNode(FieldReference field, AttributeType type, String path) implements LayoutNode {
    @Override
    public Stream<String> paths() {
      return Stream.of(path);
    }
  }

  /** One attribute that is a map with open keys. */
  record MapNode(FieldReference field, AttributeType type, String path) implements LayoutNode {
    @Override
    public Stream<String> paths() {
      return Stream.of(path);
    }
  }

  /** A constant, not read: the type in a relationship. */
  record ConstantNode(String text) implements LayoutNode {
    @Override
    public Stream<String> paths() {
      return Stream.empty();
    }
  }

  /**
   * An object.
   *
   * @param location to the record or facet that is there once the object is; null where the object only leads to attributes
   * @param path of the attribute that the object is; null where it is none
   * @param byName members by every name they are read under
   */
  record CompositeNode(@Nullable RecordPath location, @Nullable String path, Map<String, LayoutNode> byName,
      List<NamedNode> members)
      implements LayoutNode {
    @Override
    public Stream<String> paths() {
      return path == null ? members.stream().flatMap(member -> member.node().paths()) : Stream.of(path);
    }
  }

  /** A member of an object; the service's own name is the document's where they agree. */
  record NamedNode(String name, String serviceName, LayoutNode node) {
    String name(FieldNaming names) {
      return names == FieldNaming.SERVICE ? serviceName : name;
    }
  }

  /** A field of a resource or of a record in it. */
  record FieldReference(RecordPath location, int position) {
    @Nullable
    Object get(SpecificRecord resource) {
      var record = location.find(resource);
      return record == null ? null : record.get(position);
    }

    void set(SpecificRecord resource, Object value) {
      location.getOrCreate(resource).put(position, value);
    }
  }

  /** The steps from a resource to a record in it. */
  record RecordPath(List<PathStep> steps) {
    static final RecordPath RESOURCE = new RecordPath(List.of());

    RecordPath to(PathStep step) {
      return new RecordPath(Stream.concat(steps.stream(), Stream.of(step)).toList());
    }

    /** Null where it is not there. */
    @Nullable
    SpecificRecord find(SpecificRecord resource) {
      var record = resource;
      for (var step : steps) {
        if (!(record.get(step.position()) instanceof SpecificRecord next)) {
          return null;
        }
        record = next;
      }
      return record;
    }

    /** The record, and those on the way, made where they are not there. */
    SpecificRecord getOrCreate(SpecificRecord resource) {
      var record = resource;
      for (var step : steps) {
        record = step.getOrCreate(record);
      }
      return record;
    }
  }

  /** From a record to one of its fields, a record too. */
  record PathStep(int position, Class<? extends SpecificRecord> type) {
    private SpecificRecord getOrCreate(SpecificRecord record) {
      if (record.get(position) instanceof SpecificRecord next) {
        return next;
      }
      var made = ResourceClasses.newRecord(type);
      record.put(position, made);
      return made;
    }
  }
}
