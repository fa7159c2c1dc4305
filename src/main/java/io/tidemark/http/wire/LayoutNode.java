package io.tidemark.http.wire;

import io.tidemark.event.AvroRecords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** A place in the JSON of a resource, with the attributes of the resource at that place. */
sealed interface LayoutNode {

  /** Returns the paths of the attributes that a JSON null at this place sets to null. */
  default Stream<String> paths() {
    return switch (this) {
      case AttributeNode attribute -> Stream.of(attribute.path());
      case MapNode map -> Stream.of(map.path());
      case ConstantNode constant -> Stream.empty();
      case CompositeNode object -> object.path() == null
          ? object.members().stream().flatMap(member -> member.node().paths())
          : Stream.of(object.path());
    };
  }

  /**
   * The type of an attribute in JSON. A {@link #DOUBLE} or {@link #LONG} is written as a number, but is also read
   * from a string.
   */
  enum AttributeType {
    /** A string. A number is read as a string of its digits, as sent, and is written as a string. */
    TEXT,
    /** A string, or the JSON text of any other value, which is written as that value. */
    TEXT_OR_JSON,
    DOUBLE,
    LONG,
    BOOLEAN
  }

  /**
   * One attribute.
   *
   * @param hasAliases whether the attribute has several names, so that an object may contain it twice
   */
  record AttributeNode(FieldReference field, AttributeType type, String path, boolean hasAliases)
      implements LayoutNode {}

  /** One attribute that is a map, whose keys may be any texts. */
  record MapNode(FieldReference field, AttributeType type, String path) implements LayoutNode {}

  /** A constant that is written but not read, such as the type in a relationship. */
  record ConstantNode(String text) implements LayoutNode {}

  /**
   * An object. {@link ResourceLayout} adds its members; nothing changes it afterwards.
   *
   * @param record path to the facet or record that the object represents; null if the object only contains attributes
   * @param path path of the attribute that the object represents; null if the object is not an attribute
   * @param byName the members, by every name under which a member is read
   */
  record CompositeNode(
      @Nullable RecordPath record, @Nullable String path, Map<String, LayoutNode> byName, List<NamedNode> members)
      implements LayoutNode {

    CompositeNode(@Nullable RecordPath record, @Nullable String path) {
      this(record, path, new HashMap<>(), new ArrayList<>());
    }

    /** @param aliases further names, of which the first is the service's name */
    void add(String name, List<String> aliases, LayoutNode node) {
      members.add(new NamedNode(name, aliases.isEmpty() ? name : aliases.getFirst(), node));
      Stream.concat(Stream.of(name), aliases.stream()).forEach(each -> {
        if (byName.put(each, node) != null) {
          throw new IllegalStateException("duplicate name %s in %s".formatted(each, byName.keySet()));
        }
      });
    }

    /** Returns the object at a path below this object. Creates objects that are missing. */
    CompositeNode at(List<String> names) {
      var object = this;
      for (var name : names) {
        object = object.byName.get(name) instanceof CompositeNode known ? known : object.child(name, null);
      }
      return object;
    }

    /** Adds an object that represents a facet, or that only contains attributes if {@code facet} is null. */
    CompositeNode child(String name, @Nullable RecordPath facet) {
      var child = new CompositeNode(facet, null);
      add(name, List.of(), child);
      return child;
    }
  }

  /** A member of an object. Both names are the same if the interface document and the service agree. */
  record NamedNode(String name, String serviceName, LayoutNode node) {
    String name(FieldNaming naming) {
      return naming == FieldNaming.SERVICE ? serviceName : name;
    }
  }

  /** A reference to a field of a resource, or of a record in the resource. */
  record FieldReference(RecordPath record, int position) {
    @Nullable
    Object get(SpecificRecord resource) {
      var found = record.find(resource);
      return found == null ? null : found.get(position);
    }

    void set(SpecificRecord resource, Object value) {
      record.getOrCreate(resource).put(position, value);
    }
  }

  /**
   * The path to a record in a resource, or to the resource itself.
   *
   * @param fields the fields that lead to the record, outermost first; empty for the resource itself
   */
  record RecordPath(List<Schema.Field> fields) {
    static final RecordPath RESOURCE = new RecordPath(List.of());

    RecordPath to(Schema.Field field) {
      return new RecordPath(Stream.concat(fields.stream(), Stream.of(field)).toList());
    }

    /** Returns the record at this path, or null if the resource does not have the record. */
    @Nullable
    SpecificRecord find(SpecificRecord resource) {
      var record = resource;
      for (var field : fields) {
        var next = record.get(field.pos());
        if (next == null) {
          return null;
        }
        record = (SpecificRecordBase) next;
      }
      return record;
    }

    SpecificRecord getOrCreate(SpecificRecord resource) {
      var record = resource;
      for (var field : fields) {
        var next = (SpecificRecordBase) record.get(field.pos());
        if (next == null) {
          next = (SpecificRecordBase) AvroRecords.blank(AvroRecords.nonNull(field.schema()));
          record.put(field.pos(), next);
        }
        record = next;
      }
      return record;
    }
  }
}
