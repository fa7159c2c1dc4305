package io.tidemark.change;

import java.nio.charset.StandardCharsets;
import org.apache.avro.SchemaNormalization;

/**
 * The fingerprint CRC-64-AVRO of texts one behind the other, as {@link SchemaNormalization#fingerprint64} computes it of
 * their bytes in UTF-8, without putting them together first.
 */
final class ObservationFingerprint {
  private static final long EMPTY = SchemaNormalization.fingerprint64(new byte[0]);

  /** How many bytes are added at once, which takes a table each. */
  private static final int STEP = 4;

  /** The first adds a byte. The others add a byte with one, two and three behind it that are zero. */
  private static final long[][] TABLES = tables();

  private long value = EMPTY;

  long value() {
    return value;
  }

  void add(String text) {
    var all = value;
    var each = 0;
    for (; each <= text.length() - STEP; each += STEP) {
      var first = text.charAt(each);
      var second = text.charAt(each + 1);
      var third = text.charAt(each + 2);
      var fourth = text.charAt(each + 3);
      if ((first | second | third | fourth) >= 0x80) {
        break;
      }
      all = (all >>> Integer.SIZE)
          ^ TABLES[3][(int) (all ^ first) & 0xFF]
          ^ TABLES[2][(int) ((all >>> 8) ^ second) & 0xFF]
          ^ TABLES[1][(int) ((all >>> 16) ^ third) & 0xFF]
          ^ TABLES[0][(int) ((all >>> 24) ^ fourth) & 0xFF];
    }
    for (; each < text.length(); each++) {
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
    return (value >>> Byte.SIZE) ^ TABLES[0][(int) (value ^ added) & 0xFF];
  }

  private static long[][] tables() {
    var tables = new long[STEP][256];
    for (var each = 0; each < tables[0].length; each++) {
      long entry = each;
      for (var bit = 0; bit < Byte.SIZE; bit++) {
        entry = (entry >>> 1) ^ (EMPTY & -(entry & 1));
      }
      tables[0][each] = entry;
    }
    for (var zeros = 1; zeros < STEP; zeros++) {
      for (var each = 0; each < tables[zeros].length; each++) {
        var before = tables[zeros - 1][each];
        tables[zeros][each] = (before >>> Byte.SIZE) ^ tables[0][(int) before & 0xFF];
      }
    }
    return tables;
  }
}
