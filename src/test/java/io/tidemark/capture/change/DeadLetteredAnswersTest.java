package io.tidemark.capture.change;

import static java.time.Instant.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroSettings;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class DeadLetteredAnswersTest {
  static {
    AvroSettings.apply();
  }

  static final Target GLOBAL = new Target("main", "/global", new Query.GlobalMarket(), 1);

  @Test
  void body_isKeptWhole() throws IOException {
    var body = noise(1000);

    assertThat(unpacked(deadLetter(body))).isEqualTo(body);
    assertThat(deadLetter(body).getTruncated()).isFalse();
  }

  @Test
  void bodyTooLarge_isCutAndItsBeginningKeptCompressed() throws IOException {
    var body = noise(1 << 20);

    var deadLetter = deadLetter(body);

    assertThat(deadLetter.getTruncated()).isTrue();
    assertThat(deadLetter.getLength()).isEqualTo(body.length);
    assertThat(deadLetter.getBody().remaining()).isLessThanOrEqualTo(DeadLetterBody.LARGEST);
    assertThat(unpacked(deadLetter)).isEqualTo(Arrays.copyOf(body, unpacked(deadLetter).length))
        .hasSizeGreaterThan(400_000);
  }

  private static DeadLetter deadLetter(byte[] body) {
    var failure = new Failure.Unreadable("broken", body, 200, Map.of());
    return new ChangeDetector(PublishSettings.MATERIAL, Duration.ofDays(1), Duration.ofDays(1), EPOCH, EPOCH)
        .detect(new Snapshot(GLOBAL, List.of(), false, failure, EPOCH, EPOCH), new InMemoryStates())
        .deadLetters().getFirst();
  }

  private static byte[] noise(int length) {
    var noise = new byte[length];
    new Random(1).nextBytes(noise);
    return noise;
  }

  private static byte[] unpacked(DeadLetter deadLetter) throws IOException {
    assertThat(deadLetter.getEncoding()).isEqualTo("gzip");
    return new GZIPInputStream(new ByteArrayInputStream(deadLetter.getBody().array())).readAllBytes();
  }
}
