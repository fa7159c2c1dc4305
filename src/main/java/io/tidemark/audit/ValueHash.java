package io.tidemark.audit;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A 64-bit hash of a value. Equal values have equal hashes; different values practically never do. The order of map
 * entries does not matter.
 */
final class ValueHash {

  static final long NULL = 0;
  /** Seeded, because with seed 0 the hash of an empty text or list would be 0, which is the hash of null. */
  private static final HashFunction HASH = Hashing.murmur3_128(1);

  private ValueHash() {}

  static long of(@Nullable Object value) {
    return switch (value) {
      case null -> NULL;
      case IndexedRecord record ->
          sequence(record.getSchema().getFields().stream().map(field -> record.get(field.pos())));
      case List<?> list -> sequence(list.stream());
      case Map<?, ?> map -> HASH.hashLong(
          map.entrySet().stream().mapToLong(each -> sequence(Stream.of(each.getKey(), each.getValue()))).sum())
          .asLong();
      case CharSequence text -> HASH.hashUnencodedChars(text).asLong();
      case Double number -> HASH.hashLong(Double.doubleToLongBits(number)).asLong();
      case Number number -> HASH.hashLong(number.longValue()).asLong();
      default -> HASH.hashInt(value.hashCode()).asLong();
    };
  }

  private static long sequence(Stream<?> values) {
    var hasher = HASH.newHasher();
    values.forEach(each -> hasher.putLong(of(each)));
    return hasher.hash().asLong();
  }
}
