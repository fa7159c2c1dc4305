package io.tidemark.rule.expression;

import dev.cel.common.types.CelType;
import io.tidemark.event.Attribute;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * One name of a vocabulary: its type, and the accessor of its value in a record.
 *
 * @param allowedTexts the closed set that a text is always one of; empty where it may be any
 */
record Term(String name, CelType type, Accessor accessor, List<String> allowedTexts) {

  /** Finds a value in a record; null where it, or a record or map on the way to it, is missing. */
  interface Accessor {

    /** The record itself. */
    Accessor ROOT = record -> record;

    @Nullable
    Object in(IndexedRecord record);

    /** An attribute of the record that this accessor finds. */
    default Accessor attribute(Attribute attribute) {
      return root -> in(root) instanceof IndexedRecord record ? attribute.in(record) : null;
    }

    /** The value of a key in the map that this accessor finds. */
    default Accessor key(String key) {
      return root -> in(root) instanceof Map<?, ?> map ? map.get(key) : null;
    }

    /** The same value, as CEL sees it. */
    default Accessor converted(AvroToCel conversion) {
      return root -> {
        var value = in(root);
        return value == null ? null : conversion.convert(value);
      };
    }
  }
}
