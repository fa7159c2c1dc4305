package io.tidemark.change;

import java.nio.charset.StandardCharsets;
import org.apache.avro.SchemaNormalization;

/**
 * The fingerprint CRC-64-AVRO of texts one behind the other, as {@link SchemaNormalization#fingerprint64} computes it of
 * their bytes in UTF-8, without putting them together first.
 */
final class ObservationFingerprint {
  private static final long EMPTY = SchemaNormalization.fingerprint64(new byte[0]);
  private static final long[] TABLE = table();

  private long value = EMPTY;

  long value() {
    return value;
  }

  void add(String text) {
    var all = value;
    for (var each = 0; each < text.length(); each++) {
      var character = text.charAt(each);
      if (character >= 0x80) {
        addEncoded(text.getBytes(StandardCharsets.UTF_8));
        return;
      }
      all = next(all, character);
    }
    value = all;
  }

  /** Adds a character of ASCII. */
  void add(char ascii) {
    value = next(value, ascii);
  }

  private void addEncoded(byte[] utf8) {
    for (var each : utf8) {
      value = next(value, each);
    }
  }

  private static long next(long value, int added) {
    return (value >>> Byte.SIZE) ^ TABLE[(int) (value ^ added) & 0xFF];
  }

  private static long[] table() {
    var table = new long[256];
    for (var each = 0; each < table.length; each++) {
      long entry = each;
      for (var bit = 0; bit < Byte.SIZE; bit++) {
        entry = (entry >>> 1) ^ (EMPTY & -(entry & 1));
      }
      table[each] = entry;
    }
    return table;
  }
}
