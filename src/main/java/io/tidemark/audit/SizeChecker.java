package io.tidemark.audit;

import io.tidemark.kafka.CommittedRecord;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A checker of the sizes of two parts of changes and states that a service or a stranger could otherwise make large.
 * These parts are texts, which the source cuts, and the detection memory of a resource, which covers a bounded number
 * of targets.
 */
record SizeChecker(AuditReport report) {

  /** Maximum characters of a text. The longest text holds the undocumented attributes of a resource. */
  static final int TEXT = 32 << 10;

  /** Maximum bytes of the detection memory in a state. */
  static final int MEMORY = 64 << 10;

  void check(CommittedRecord record) {
    if (record.value() != null) {
      check(record, "", record.value());
    }
  }

  private void check(CommittedRecord record, String path, @Nullable Object value) {
    switch (value) {
      case CharSequence text when text.length() > TEXT -> add(record, path, "characters", TEXT, text.length());
      case ByteBuffer bytes when bytes.remaining() > MEMORY -> add(record, path, "bytes", MEMORY, bytes.remaining());
      case IndexedRecord inner -> inner.getSchema().getFields()
          .forEach(field -> check(record, path + "." + field.name(), inner.get(field.pos())));
      case Collection<?> items -> items.forEach(each -> check(record, path, each));
      case Map<?, ?> map -> map.forEach((name, each) -> {
        check(record, path, name);
        check(record, path, each);
      });
      case null, default -> {}
    }
  }

  private void add(CommittedRecord record, String path, String unit, int most, int found) {
    report.add(ConsistencyLaw.SIZES, record.position(), path.substring(1), "at most %,d %s".formatted(most, unit),
        "%,d".formatted(found));
  }
}
