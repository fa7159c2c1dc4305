package io.tidemark.simulator;

import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** SHA-256 of an answer that has no bytes. Equal values have equal digests. */
final class ValueDigest {
  private ValueDigest() {}

  static String of(Object value) {
    var text = new StringBuilder();
    write(value, text);
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.toString().getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Sets are sorted, since they have no order of their own. */
  private static void write(@Nullable Object value, StringBuilder text) {
    switch (value) {
      case Set<?> set -> text.append(new TreeSet<>(set));
      case Collection<?> list -> list.forEach(element -> write(element, text.append(';')));
      case Record row -> {
        for (var component : row.getClass().getRecordComponents()) {
          write(read(row, component), text.append('|'));
        }
      }
      case null, default -> text.append(value);
    }
  }

  private static @Nullable Object read(Record row, RecordComponent component) {
    try {
      return component.getAccessor().invoke(row);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + component, e);
    }
  }
}
