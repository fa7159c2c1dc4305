package io.tidemark.rule.expression;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import io.tidemark.yaml.Spelling;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.avro.Schema;

/** The types of records that stand in lists and maps, found by name: so that their members are checked, too. */
final class RecordTypes implements CelTypeProvider {

  private final ImmutableMap<String, CelType> types;

  private RecordTypes(Map<String, CelType> types) {
    this.types = ImmutableMap.copyOf(types);
  }

  /** The type of records of a schema, given those of its members. */
  @SuppressWarnings("Immutable") // the copy is, though nothing proves it to the compiler
  static StructType type(Schema schema, SortedMap<String, CelType> members) {
    var types = ImmutableMap.copyOf(members);
    return StructType.create(
        schema.getFullName(), types.keySet(), name -> Optional.ofNullable(types.get(name)));
  }

  /** All that stand somewhere in values of these types. */
  static RecordTypes in(Collection<CelType> values) {
    var found = new HashMap<String, CelType>();
    values.forEach(type -> find(type, found));
    return new RecordTypes(found);
  }

  /** The same type, but that of records only their names are known: nothing of their members is checked. */
  static CelType unchecked(CelType type) {
    return switch (type) {
      case ListType list -> ListType.create(unchecked(list.elemType()));
      case MapType map -> MapType.create(map.keyType(), unchecked(map.valueType()));
      case StructType struct -> MapType.create(SimpleType.STRING, SimpleType.DYN);
      default -> type;
    };
  }

  private static void find(CelType type, Map<String, CelType> found) {
    switch (type) {
      case ListType list -> find(list.elemType(), found);
      case MapType map -> find(map.valueType(), found);
      case StructType struct -> {
        found.put(struct.name(), struct);
        struct.fields().forEach(field -> find(field.type(), found));
      }
      default -> {}
    }
  }

  /** What is wrong with the name of a member, and what to write instead. */
  String unknown(String member) {
    var names = types.values().stream().flatMap(type -> ((StructType) type).fieldNames().stream()).distinct().toList();
    var nearest = Spelling.nearest(member, names);
    return member + ": no such member; "
        + (nearest == null ? "there are " + String.join(", ", names) : "did you mean " + nearest + "?");
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return ImmutableSet.copyOf(types.values());
  }

  @Override
  public Optional<CelType> findType(String name) {
    return Optional.ofNullable(types.get(name));
  }
}
