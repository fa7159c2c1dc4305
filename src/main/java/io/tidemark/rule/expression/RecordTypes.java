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
import io.tidemark.event.NameSuggestion;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** The CEL types of records in lists and maps, by name. With these types, the compiler checks the fields of records. */
final class RecordTypes implements CelTypeProvider {

  private final ImmutableMap<String, CelType> types;

  private RecordTypes(Map<String, CelType> types) {
    this.types = ImmutableMap.copyOf(types);
  }

  @SuppressWarnings("Immutable") // the copy is immutable, which the compiler cannot prove
  static StructType type(String name, SortedMap<String, CelType> fields) {
    var types = ImmutableMap.copyOf(fields);
    return StructType.create(name, types.keySet(), field -> Optional.ofNullable(types.get(field)));
  }

  /** Returns the types of all records that occur, at any depth, in values of the given types. */
  static RecordTypes in(Collection<CelType> values) {
    var found = new HashMap<String, CelType>();
    values.forEach(type -> find(type, found));
    return new RecordTypes(found);
  }

  /** Replaces every record type within a type by a map type, so that the compiler does not check fields. */
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

  /** Returns an error message for a field that a record lacks, with the names that may have been meant. */
  String unknownField(String field) {
    var names = types.values().stream().flatMap(type -> ((StructType) type).fieldNames().stream()).distinct().toList();
    return field + ": no such field; "
        + NameSuggestion.suggestion(field, names, "the fields are " + String.join(", ", names));
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
