package io.tidemark.capture.change;

import io.tidemark.event.Attribute;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Extra;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an observed resource's values. A value beyond its limit is cut before facets are compared. An identity
 * beyond its limit is refused, because another resource may have the same beginning.
 *
 * <p>The limits ensure that every change and every state fits into a Kafka record. Each of these records holds at most
 * two values of every attribute, and a character takes at most three bytes. A value therefore takes at most 24 KiB if
 * it is a text (no resource has more than 11 texts), 768 bytes if it is a decimal, 48 KiB if it is a map, and 96 KiB if
 * it is the undocumented attributes.
 */
final class ValueLimits {
  /** End of a text that was cut, and name of an entry that is added to a map if other entries were left out. */
  static final String MARK = "…[cut]";

  /** Maximum number of characters of a text, including {@link #MARK}. */
  static final int TEXT = 8 << 10;

  /** Maximum number of characters of a decimal, including {@link #MARK}. */
  static final int DECIMAL = 256;

  /** Maximum number of characters of all names and values of a map together. A number counts as four characters. */
  static final int MAP = 16 << 10;

  /** Maximum number of characters of the undocumented attributes of a resource. */
  static final int EXTRA = 32 << 10;

  /** Maximum number of characters of a text in the identity of a resource. */
  static final int IDENTITY = 512;

  /** Maximum number of resources of one kind on a page. */
  static final int RESOURCES = 2000;

  private static final int NUMBER = 4;

  private ValueLimits() {}

  /**
   * A value that was cut or, for the undocumented attributes, the mark of members that may be left out.
   *
   * @param path path of the attribute within its facet
   * @param length length of the observed value before it was cut, in characters
   * @param kept the part that is kept: a text, a map, or a part of the text of the undocumented attributes
   */
  record CutValue(String path, long length, Object kept) {

    /**
     * Returns whether a facet contains the kept part. If the value is a map of numbers, only the names are compared,
     * since the numbers change all the time.
     */
    boolean isIn(@Nullable IndexedRecord facet) {
      return switch (AvroRecords.at(facet, path)) {
        case String text when kept instanceof String part -> text.contains(part);
        case Map<?, ?> map when kept instanceof Map<?, ?> part ->
            map.values().stream().anyMatch(String.class::isInstance)
                ? map.equals(part)
                : map.keySet().equals(part.keySet());
        case null, default -> false;
      };
    }
  }

  static boolean isIdentityTooLong(IndexedRecord resource) {
    return resource.getSchema().getFields().stream()
        .anyMatch(field -> resource.get(field.pos()) instanceof String text && text.length() > IDENTITY);
  }

  /** Returns whether a required text in the resource's identity is missing or blank. */
  static boolean isIdentityMissing(IndexedRecord resource) {
    return resource.getSchema().getFields().stream()
        .filter(field -> field.schema().getType() == Schema.Type.STRING)
        .anyMatch(field -> !(resource.get(field.pos()) instanceof String text) || text.isBlank());
  }

  /**
   * Returns the values of a facet, cut to the limits, or the same object if no value is too long. Adds each value that
   * was cut to {@code cuts}.
   */
  static IndexedRecord cut(IndexedRecord values, List<Attribute> attributes, List<CutValue> cuts) {
    if (values instanceof Extra extra) {
      return ExtraJson.cut(extra, cuts);
    }
    return cut(values, attributes, "", cuts);
  }

  private static boolean fits(Map<?, ?> map) {
    return length(map) <= MAP
        && map.values().stream().noneMatch(value -> value instanceof String text && text.length() > TEXT);
  }

  private static int limit(Attribute attribute) {
    return attribute.type() == Attribute.Scalar.DECIMAL ? DECIMAL : TEXT;
  }

  private static IndexedRecord cut(
      IndexedRecord values, List<Attribute> attributes, String path, List<CutValue> cuts) {
    var result = values;
    for (var attribute : attributes) {
      var value = attribute.in(values);
      var kept = kept(value, attribute, path + attribute.name(), cuts);
      if (kept != value) {
        result = result == values ? AvroRecords.copy(values) : result;
        result.put(attribute.position(), kept);
      }
    }
    return result;
  }

  /** Returns the value cut to the limits, or the same object if the value is within the limits. */
  private static @Nullable Object kept(
      @Nullable Object value, Attribute attribute, String path, List<CutValue> cuts) {
    return switch (value) {
      case String text when text.length() > limit(attribute) ->
          kept(new CutValue(path, text.length(), cut(text, limit(attribute))), cuts);
      case Map<?, ?> map when !fits(map) -> kept(new CutValue(path, length(map), cut(map)), cuts);
      case IndexedRecord inner when attribute.type() instanceof Attribute.RecordOf record ->
          cut(inner, record.attributes(), path + ".", cuts);
      case null, default -> value;
    };
  }

  private static Object kept(CutValue cut, List<CutValue> cuts) {
    cuts.add(cut);
    return cut.kept();
  }

  /**
   * Returns the beginning of a text, followed by {@link #MARK}, in at most {@code limit} characters. No surrogate pair
   * is cut in half.
   */
  static String cut(String text, int limit) {
    var end = limit - MARK.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + MARK;
  }

  /**
   * Returns the entries of a map, in the order of their names, that fit into the limit. Texts that are too long are
   * cut. If entries are left out, an entry with the name {@link #MARK} and the value null is added.
   */
  private static Map<String, @Nullable Object> cut(Map<?, ?> map) {
    var kept = new TreeMap<String, @Nullable Object>();
    var room = MAP - MARK.length() - NUMBER;
    for (var entry : new TreeMap<>(map).entrySet()) {
      var value = entry.getValue() instanceof String text && text.length() > TEXT ? cut(text, TEXT) : entry.getValue();
      room -= length(Map.entry(entry.getKey(), value == null ? 0 : value));
      if (room < 0) {
        kept.put(MARK, null);
        break;
      }
      kept.put((String) entry.getKey(), value);
    }
    return kept;
  }

  private static long length(Map<?, ?> map) {
    return map.entrySet().stream().mapToLong(ValueLimits::length).sum();
  }

  private static int length(Map.Entry<?, ?> entry) {
    return ((String) entry.getKey()).length() + (entry.getValue() instanceof String text ? text.length() : NUMBER);
  }
}
