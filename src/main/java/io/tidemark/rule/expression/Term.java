package io.tidemark.rule.expression;

import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * One name of a vocabulary: its type, and where its value stands in a record.
 *
 * @param allowedTexts those that a text is always one of; none where it may be any
 */
public record Term(String name, CelType type, Accessor accessor, List<String> allowedTexts) {

  /** A place in a record: gives the value there, null where it or something on the way to it is missing. */
  interface Accessor {

    /** The record itself. */
    Accessor ROOT = record -> record;

    @Nullable
    Object in(IndexedRecord record);

    /** The place of a field of the record that is at this place. */
    default Accessor field(int position) {
      return root -> in(root) instanceof IndexedRecord record ? record.get(position) : null;
    }

    /** What stands in the map at this place under a key. */
    default Accessor key(String key) {
      return root -> in(root) instanceof Map<?, ?> map ? map.get(key) : null;
    }

    /** The same place, its value read as conditions see it. */
    default Accessor as(AvroToCel shape) {
      return root -> {
        var value = in(root);
        return value == null ? null : shape.conversion().convert(value);
      };
    }
  }
}
