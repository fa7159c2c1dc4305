package io.tidemark.simulator;

import io.tidemark.event.Sha256;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** SHA-256 of an answer that has no bytes. Equal values have equal digests. */
final class ValueDigest {
  private ValueDigest() {}

  static String of(Object value) {
    return Sha256.hex(text(value));
  }

  /** Sets are sorted, since they have no order of their own. */
  private static String text(@Nullable Object value) {
    return switch (value) {
      case Set<?> set -> new TreeSet<>(set).toString();
      case Collection<?> list -> list.stream().map(each -> ";" + text(each)).collect(Collectors.joining());
      case Record row -> Stream.of(row.getClass().getRecordComponents())
          .map(component -> "|" + text(read(row, component)))
          .collect(Collectors.joining());
      case null, default -> String.valueOf(value);
    };
  }

  private static @Nullable Object read(Record row, RecordComponent component) {
    try {
      return component.getAccessor().invoke(row);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }
}
