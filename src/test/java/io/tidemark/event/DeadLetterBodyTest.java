package io.tidemark.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class DeadLetterBodyTest {

  static final int MOST = 512 << 10;
  static final byte[] REPETITIVE = "{\"price\":\"1.0\"}".repeat(200_000).getBytes(UTF_8);

  @Test
  void bodyThatFitsCompressed_isWhole() throws IOException {
    var packed = DeadLetterBody.putInto(DeadLetter.newBuilder(), REPETITIVE);

    assertThat(packed.getTruncated()).isFalse();
    assertThat(unpacked(packed)).isEqualTo(REPETITIVE);
  }

  @Test
  void bodyThatDoesNotFit_keepsItsBeginning() throws IOException {
    var noise = new byte[2 << 20];
    new Random(1).nextBytes(noise);

    var packed = DeadLetterBody.putInto(DeadLetter.newBuilder(), noise);

    assertThat(packed.getTruncated()).isTrue();
    assertThat(packed.getBody().remaining()).isBetween(MOST * 9 / 10, MOST);
    assertThat(unpacked(packed)).isEqualTo(Arrays.copyOf(noise, unpacked(packed).length));
  }

  private static byte[] unpacked(DeadLetter packed) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(packed.getBody().array())).readAllBytes();
  }
}
