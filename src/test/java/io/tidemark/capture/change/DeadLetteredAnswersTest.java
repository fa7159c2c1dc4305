package io.tidemark.capture.change;

import static java.time.Instant.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroSettings;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.event.Treasury;
import io.tidemark.http.client.StoredResponse;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetteredAnswersTest {
  static {
    AvroSettings.apply();
  }

  private static final Query.PublicTreasury TREASURY = new Query.PublicTreasury("acme", Set.of(), Set.of());
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

  @ParameterizedTest
  @ValueSource(strings = {"2026-11-21T11:58:01Z", "2026-11-01T00:00:00Z", "1970-01-01T00:00:00Z"})
  void readableAnswer_keepsTheServicesOwnTime(Instant asOf) {
    var letter = withoutHoldings(asOf);

    assertThat(stored(letter).answer(TREASURY).asOf()).isEqualTo(asOf);
    assertThat(letter.getReceivedAt()).isEqualTo(ManualSource.START);
    assertThat(letter.getSentAt()).isEqualTo(ManualSource.START.minusSeconds(1));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "-0001-12-31T23:59:59Z")
  void readableAnswerWithoutAUsableTime_isOfTheTimeOfReceipt(Instant asOf) {
    assertThat(stored(withoutHoldings(asOf)).answer(TREASURY).asOf()).isEqualTo(ManualSource.START);
  }

  private static DeadLetter withoutHoldings(Instant asOf) {
    var body = Body.of(new TreasuryAnswer(Observation.of(Treasury.newBuilder().setId("acme").build()), null));
    var answer = new Answer<>(TREASURY, body, "digest", ManualSource.START.minusSeconds(1), ManualSource.START, asOf,
        null, null, null);
    var target = new Target("main", "/public_treasury/acme", TREASURY, 1);
    return detector().detect(
        new Snapshot(target, List.of(answer), true, null, ManualSource.START, ManualSource.START), new InMemoryStates())
        .deadLetters().getFirst();
  }

  private static StoredResponse stored(DeadLetter letter) {
    return new StoredResponse(letter.getTarget(), letter.getPage(), new byte[0], letter.getStatus(),
        letter.getHeaders(), letter.getSentAt(), letter.getReceivedAt());
  }

  @Test
  void bodiesCutAtOtherPlaces_areOneReason_butNotOtherAttributes() {
    var states = new InMemoryStates();

    assertThat(letters(states, "Unexpected end-of-input (at /data/0/name, character 12)")).hasSize(1);
    assertThat(letters(states, "Unexpected end-of-input (at /data/7/volume, character 3456)")).isEmpty();
    assertThat(letters(states, "expected an array, found VALUE_NULL (at /data)")).hasSize(1);
    assertThat(letters(states, "expected an array, found VALUE_NULL (at /included)")).hasSize(1);
  }

  private static List<DeadLetter> letters(InMemoryStates states, String reason) {
    var failure = new Failure.Unreadable(reason, new byte[] {1}, 200, Map.of());
    return states.apply(detector().detect(new Snapshot(GLOBAL, List.of(), false, failure, EPOCH, EPOCH), states))
        .deadLetters();
  }

  private static ChangeDetector detector() {
    return new ChangeDetector(PublishSettings.MATERIAL, Duration.ofDays(1), Duration.ofDays(1), EPOCH, EPOCH);
  }

  private static DeadLetter deadLetter(byte[] body) {
    var failure = new Failure.Unreadable("broken", body, 200, Map.of());
    return detector().detect(new Snapshot(GLOBAL, List.of(), false, failure, EPOCH, EPOCH), new InMemoryStates())
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
