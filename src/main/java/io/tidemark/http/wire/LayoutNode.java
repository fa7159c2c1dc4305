package io.tidemark.http.wire;

import io.tidemark.event.AvroRecords;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/** A place in the JSON of a resource, and the attributes of the resource at that place. */
sealed interface LayoutNode {

  /** Paths of the attributes that a JSON null at this place sets to null. */
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

  /** How many records the attributes at this place and below need, those of smaller numbers included. */
  default int records() {
    return switch (this) {
      case AttributeNode attribute -> attribute.field().record().number() + 1;
      case MapNode map -> map.field().record().number() + 1;
      case ConstantNode constant -> 1;
      case CompositeNode object -> Math.max(object.record() == null ? 1 : object.record().number() + 1,
          object.members().stream().mapToInt(member -> member.node().records()).max().orElse(1));
    };
  }

  /** How an attribute is written in JSON. */
  enum AttributeType {
    /** A string, or a number that keeps its digits. */
    TEXT,
    /** A string, or the JSON text of any other value. */
    TEXT_OR_JSON,
    DOUBLE,
    LONG,
    BOOLEAN
  }

  /**
   * One attribute.
   *
   * @param hasAliases whether it has several names, so that an object may have it twice
   */
  record AttributeNode(FieldReference field, AttributeType type, String path, boolean hasAliases)
      implements LayoutNode {}

  /** One attribute that is a map with open keys. */
  record MapNode(FieldReference field, AttributeType type, String path) implements LayoutNode {}

  /** A constant that is written and not read: the type in a relationship. */
  record ConstantNode(String text) implements LayoutNode {}

  /**
   * An object.
   *
   * @param record the facet or record that exists once the object does; null where the object only contains attributes
   * @param path of the attribute that the object is; null where it is none
   * @param byName members by every name that is read
   */
  record CompositeNode(
      @Nullable RecordPath record, @Nullable String path, Map<String, MemberName> byName, List<NamedNode> members)
      implements LayoutNode {

    /** The bit of a name that is read; 0 where it is none. */
    long bit(String name) {
      var found = byName.get(name);
      return found == null ? 0 : found.bit();
    }
  }

  /** A name that is read. Its bit, of which each name of an object has one, says that the object had it. */
  record MemberName(LayoutNode node, long bit) {}

  /** A member of an object. Both names are the same where document and service agree. */
  record NamedNode(String name, String serviceName, LayoutNode node) {
    String name(FieldNaming naming) {
      return naming == FieldNaming.SERVICE ? serviceName : name;
    }
  }

  /** A field of a resource, or of a record in it. */
  record FieldReference(RecordPath record, int position) {
    @Nullable
    Object get(SpecificRecord resource) {
      var found = record.find(resource);
      return found == null ? null : found.get(position);
    }
  }

  /**
   * A record in a resource, or the resource.
   *
   * @param number among the records of the resource, which is 0 itself
   * @param fields that lead to it, outermost first
   * @param parent the record that has it; null of the resource
   */
  record RecordPath(int number, List<RecordField> fields, @Nullable RecordPath parent) {
    static final RecordPath RESOURCE = new RecordPath(0, List.of(), null);

    RecordPath to(Schema.Field field, int number) {
      var next = new RecordField(field.pos(), AvroRecords.constructor(AvroRecords.nonNull(field.schema())));
      return new RecordPath(number, Stream.concat(fields.stream(), Stream.of(next)).toList(), this);
    }

    /** Null where the record does not exist. */
    @Nullable
    SpecificRecord find(SpecificRecord resource) {
      var record = resource;
      for (var field : fields) {
        var next = record.get(field.position());
        if (next == null) {
          return null;
        }
        record = (SpecificRecordBase) next;
      }
      return record;
    }
  }

  /** A field whose value is a record, and what makes one. */
  record RecordField(int position, Supplier<SpecificRecord> constructor) {}

  /** The records of a resource that is read, each made when it is first needed. */
  final class RecordsByNumber {
    private final @Nullable SpecificRecord[] byNumber;

    RecordsByNumber(SpecificRecord resource, int records) {
      byNumber = new SpecificRecord[records];
      byNumber[0] = resource;
    }

    /** Null where the record does not exist yet. */
    @Nullable
    SpecificRecord find(RecordPath path) {
      return byNumber[path.number()];
    }

    SpecificRecord getOrCreate(RecordPath path) {
      var existing = byNumber[path.number()];
      return existing == null ? create(path) : existing;
    }

    private SpecificRecord create(RecordPath path) {
      var field = path.fields().getLast();
      var created = field.constructor().get();
      getOrCreate(Objects.requireNonNull(path.parent())).put(field.position(), created);
      byNumber[path.number()] = created;
      return created;
    }
  }
}
