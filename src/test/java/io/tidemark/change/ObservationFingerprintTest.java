package io.tidemark.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.Test;

/** States remember fingerprints: they stay what they were. */
class ObservationFingerprintTest {

  @Test
  void fingerprint_isAvrosOfAllTextsInUtf8() {
    for (var texts : List.of(
        List.of(""), List.of("a"), List.of("0.000123", "4.2"), List.of("ünïcödé", "then ascii"),
        List.of("\uD83D\uDC38 pepe", "half \uD83D", "x".repeat(5_000)))) {
      var fingerprint = new ObservationFingerprint();
      texts.forEach(text -> {
        fingerprint.add('\u0002');
        fingerprint.add(text);
      });

      var together = "\u0002" + String.join("\u0002", texts);
      assertThat(fingerprint.value())
          .isEqualTo(SchemaNormalization.fingerprint64(together.getBytes(StandardCharsets.UTF_8)));
    }
  }
}
