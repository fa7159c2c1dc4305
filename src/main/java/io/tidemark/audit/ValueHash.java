package io.tidemark.audit;

import java.util.List;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A 64-bit hash of a value. Equal values have equal hashes; different values practically never do. The order of map
 * entries does not matter.
 */
final class ValueHash {

  static final long NULL = 0;

  private static final long FACTOR = 0x100000001b3L;

  private ValueHash() {}

  static long of(@Nullable Object value) {
    return switch (value) {
      case null -> NULL;
      case IndexedRecord record -> record(record);
      case List<?> list -> sequence(7, list);
      case Map<?, ?> map -> map(map);
      case CharSequence text -> text(text);
      case Double number -> mixed(Double.doubleToLongBits(number) + 1);
      case Number number -> mixed(number.longValue() + 2);
      default -> mixed(value.hashCode() + 3L);
    };
  }

  private static long record(IndexedRecord record) {
    return sequence(5, record.getSchema().getFields().stream().map(field -> record.get(field.pos())).toList());
  }

  private static long sequence(long seed, List<?> values) {
    var hash = seed;
    for (var each : values) {
      hash = mixed(hash * FACTOR + of(each));
    }
    return hash;
  }

  private static long map(Map<?, ?> map) {
    return mixed(11 + map.entrySet().stream().mapToLong(ValueHash::pair).sum());
  }

  private static long pair(Map.Entry<?, ?> entry) {
    return mixed(of(entry.getKey()) * FACTOR + of(entry.getValue()));
  }

  private static long text(CharSequence text) {
    var hash = 13L;
    for (var i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FACTOR;
    }
    return mixed(hash);
  }

  /** Mixes bits with the finalizer of MurmurHash3. */
  private static long mixed(long bits) {
    var mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
