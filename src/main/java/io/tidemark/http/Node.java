package io.tidemark.http;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A place in the JSON of a resource, and what of the resource stands there. */
sealed interface Node {
  /** Paths of the attributes that are null where null stands here. */
  Stream<String> paths();

  /** One attribute. */
  record Leaf(Slot slot, Kind kind, String path) implements Node {
    @Override
    public Stream<String> paths() {
      return Stream.of(path);
    }
  }

  /** One attribute that is a map with open keys. */
  record Keyed(Slot slot, Kind kind, String path) implements Node {
    @Override
    public Stream<String> paths() {
      return Stream.of(path);
    }
  }

  /** A constant, not read: the type in a relationship. */
  record Fixed(String text) implements Node {
    @Override
    public Stream<String> paths() {
      return Stream.empty();
    }
  }

  /**
   * An object.
   *
   * @param way to the record or facet that is there once the object is; null where the object only leads to attributes
   * @param path of the attribute that the object is; null where it is none
   * @param byName members by every name they are read under
   */
  record Branch(@Nullable Way way, @Nullable String path, Map<String, Node> byName, List<Member> members)
      implements Node {
    @Override
    public Stream<String> paths() {
      return path == null ? members.stream().flatMap(member -> member.node().paths()) : Stream.of(path);
    }
  }

  /** A member of an object; the service's own name is the document's where they agree. */
  record Member(String name, String serviceName, Node node) {
    String name(NameStyle names) {
      return names == NameStyle.SERVICE ? serviceName : name;
    }
  }

  /** A field of a resource or of a record in it. */
  record Slot(Way way, int position) {
    @Nullable
    Object get(SpecificRecord resource) {
      var record = way.find(resource);
      return record == null ? null : record.get(position);
    }

    void set(SpecificRecord resource, Object value) {
      way.make(resource).put(position, value);
    }
  }

  /** The steps from a resource to a record in it. */
  record Way(List<Step> steps) {
    static final Way HERE = new Way(List.of());

    Way to(Step step) {
      return new Way(Stream.concat(steps.stream(), Stream.of(step)).toList());
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
    SpecificRecord make(SpecificRecord resource) {
      var record = resource;
      for (var step : steps) {
        record = step.make(record);
      }
      return record;
    }
  }

  /** From a record to one of its fields, a record too. */
  record Step(int position, Class<? extends SpecificRecord> type) {
    private SpecificRecord make(SpecificRecord record) {
      if (record.get(position) instanceof SpecificRecord next) {
        return next;
      }
      var made = Blank.of(type);
      record.put(position, made);
      return made;
    }
  }
}
