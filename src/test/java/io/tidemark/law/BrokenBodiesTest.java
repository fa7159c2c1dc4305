package io.tidemark.law;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.DeadLetter;
import io.tidemark.law.Upstream.Response;
import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that contradict the interface document: each becomes a complete dead letter and changes no state. */
class BrokenBodiesTest {
  private static final Query<?> POOL = OperationQueries.to(Operation.POOL);
  private static final JsonBody BODY = JsonBody.complete(Operation.POOL);
  private static final long SEED = 20261004;
  private static final int SAMPLE = 500;

  private final PolledSource source = PolledSource.everything();

  @ParameterizedTest
  @EnumSource
  void bodyTruncatedAnywhere_isADeadLetter_andChangesNothing(Operation operation) {
    Query<?> question = OperationQueries.to(operation);
    byte[] body = JsonBody.complete(operation).small().bytes();
    source.poll(question, body);

    IntStream.range(1, body.length).forEach(length -> assertKept(question, Arrays.copyOf(body, length)));
  }

  static List<FullAnswers> largeBodyTruncatedSomewhere_isADeadLetter_andChangesNothing() {
    return FullAnswers.all();
  }

  @ParameterizedTest
  @MethodSource
  void largeBodyTruncatedSomewhere_isADeadLetter_andChangesNothing(FullAnswers large) {
    byte[] body = large.body();
    assertThat(source.poll(large.question(), body)).as(large.toString()).isNotEmpty();

    new Random(SEED).ints(1, body.length).limit(SAMPLE).distinct()
        .forEach(length -> assertKept(large.question(), Arrays.copyOf(body, length)));
  }

  static Stream<byte[]> bodyThatIsNoAnswer_isADeadLetter_andChangesNothing() {
    String complete = BODY.toString();
    return Stream.of(
        "\ufeff" + complete,
        complete + complete,
        complete + "}",
        complete.replace("}}}", "}}"),
        "[" + complete + "]",
        "null",
        "7",
        "\"data\"",
        "[]",
        "{}",
        "{\"data\":null}",
        "{\"data\":{}}",
        "{\"data\":[]}",
        "{\"data\":\"" + "x".repeat(2_000_000) + "\"}",
        "Throttled",
        "NaN",
        at("/data/attributes/name", "NaN"),
        at("/data/attributes/name", "'single'"),
        at("/data/attributes/name", "\"a\",\"name\":\"b\""),
        at("/data/attributes/extra", "{\"a\":1,\"a\":2}"),
        at("/data/attributes/extra", "[".repeat(100_000) + "]".repeat(100_000)),
        at("/data/attributes/extra", "{\"a\":".repeat(100) + "1" + "}".repeat(100)),
        at("/data/attributes/extra", "9".repeat(100_000)),
        at("/data/attributes/reserve_in_usd", "9".repeat(100_000)),
        at("/data/attributes/extra", "1e" + "9".repeat(100_000)),
        at("/data/attributes/name", "\"a\u0000b\""),
        at("/data/attributes/name", "\"line\nbreak\""),
        at("/included", "{}"),
        at("/included", "7"),
        at("/data/attributes", "{}").replace("\"id\":\"polygon_pos_0xb6e", "\"no\":\"polygon_pos_0xb6e"))
        .map(body -> body.getBytes(UTF_8));
  }

  @ParameterizedTest
  @MethodSource
  void bodyThatIsNoAnswer_isADeadLetter_andChangesNothing(byte[] body) {
    source.poll(POOL, BODY);

    assertKept(POOL, body);
  }

  @Test
  void bytesThatAreNoUtf8_areADeadLetter_byteForByte() {
    source.poll(POOL, BODY);
    byte[] body = BODY.bytes();
    for (byte wrong : new byte[] {(byte) 0xff, (byte) 0xc0, (byte) 0x80, (byte) 0xed}) {
      body[BODY.toString().indexOf("WPOL")] = wrong;

      assertKept(POOL, body);
    }
  }

  @ParameterizedTest
  @MethodSource("oddNumbers")
  void numberTooLargeOrTooLongForItsPlace_isKeptDigitForDigit(String number) {
    for (AttributeRow row : AttributeRow.attributes()) {
      if (row.operation() == Operation.TREASURY && row.kind().equals("n")) {
        assertKeptInExtra(row, number);
      }
    }
  }

  static Stream<String> oddNumbers() {
    return Stream.of("1e400000", "-1e400000", "1e99999999999999999999", "9".repeat(1999), "1" + "0".repeat(400));
  }

  @Test
  void numberTooSmallForItsPlace_isZero() {
    source.poll(OperationQueries.to(Operation.GLOBAL), JsonBody.complete(Operation.GLOBAL));

    List<ReceivedChange> changes = source.poll(OperationQueries.to(Operation.GLOBAL),
        JsonBody.complete(Operation.GLOBAL).with("/data/volume_change_percentage_24h_usd", "1e-400000"));

    assertThat(changes.getFirst().after("volume")).containsEntry("volume_change_percentage_24h_usd", 0.0);
  }

  @ParameterizedTest
  @EnumSource
  void wrongKindAtAnyAttribute_isInExtra_andNullInItsPlace(Operation operation) {
    for (AttributeRow row : AttributeRow.attributes()) {
      if (row.operation() == operation) {
        MistypedValues.kinds(row).forEach(json -> assertKeptInExtra(row, json));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void wrongKindAtAnyIdentity_isADeadLetterOrAnotherResource(Operation operation) {
    for (AttributeRow row : AttributeRow.identities()) {
      if (row.operation() == operation && row.kind().equals("id")) {
        Stream.of("{}", "[]", "true", "null", "\"\"", "{\"a\":[1]}").forEach(json -> assertNotMistaken(row, json));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void wrongKindAnywhereElse_isNeverAnError(Operation operation) {
    JsonBody body = JsonBody.complete(operation);
    for (String object : body.objects()) {
      if (!object.isEmpty()) {
        for (String json : List.of("{}", "[]", "[[]]", "true", "7", "\"x\"", "null")) {
          var one = PolledSource.everything();
          one.poll(OperationQueries.to(operation), body);
          JsonBody broken = body.with(object, json);
          one.poll(OperationQueries.to(operation), broken);
          one.changeSet.deadLetters()
              .forEach(deadLetter -> assertThat(DeadLetterBodies.body(deadLetter)).isEqualTo(broken.bytes()));
          one.memory.assertFoldIsState();
        }
      }
    }
  }

  @Test
  void sameBrokenBodyAgain_isNotKeptTwice() {
    source.poll(POOL, BODY);
    source.poll(POOL, "{\"data\":");

    source.poll(POOL, "{\"data\":");

    assertThat(source.changeSet.deadLetters()).isEmpty();
    assertThat(source.poll(POOL, BODY.bytes())).isEmpty();
  }

  @Test
  void gzipBomb_isADeadLetter_asItCame() throws IOException {
    source.poll(POOL, BODY);
    byte[] bomb = gzip(new byte[64 << 20]);

    source.poll(POOL, Response.of(bomb).with("Content-Encoding", "gzip"));

    assertThat(source.failure).isInstanceOf(Failure.Unreadable.class);
    assertThat(DeadLetterBodies.body(source.changeSet.deadLetters().getFirst())).isEqualTo(bomb);
    assertThat(source.poll(POOL, BODY.bytes())).isEmpty();
  }

  @Test
  void brokenGzip_isADeadLetter_asItCame() throws IOException {
    source.poll(POOL, BODY);
    byte[] packed = gzip(BODY.bytes());
    byte[] cut = Arrays.copyOf(packed, packed.length / 2);

    source.poll(POOL, Response.of(cut).with("Content-Encoding", "gzip"));

    assertThat(DeadLetterBodies.body(source.changeSet.deadLetters().getFirst())).isEqualTo(cut);
  }

  @Test
  void htmlEmptyOrErrorBodyWithStatus200_isAFailure_keepsTheState() {
    source.poll(POOL, BODY);
    Map<String, SpecificRecord> states = source.memory.states();

    assertFails(Failure.Blocked.class, "<!DOCTYPE html><html><title>Access denied</title></html>");
    assertFails(Failure.ServerError.class, "");
    assertFails(Failure.ServerError.class, " \n");
    assertFails(Failure.NotFound.class, "{\"error\":\"coin not found\"}");
    assertFails(Failure.RateLimited.class, "{\"status\":{\"error_code\":429,\"error_message\":\"You've exceeded\"}}");

    assertThat(source.memory.states()).isEqualTo(states);
  }

  private void assertFails(Class<? extends Failure> kind, String body) {
    List<ReceivedChange> changes = source.poll(OperationQueries.to(Operation.NEW_POOLS), body);

    assertThat(source.failure).as(body).isInstanceOf(kind);
    assertThat(changes).as(body).isEmpty();
  }

  /** Asserts that an unreadable body changes nothing and is kept whole in a dead letter. */
  private void assertKept(Query<?> question, byte[] body) {
    Map<String, SpecificRecord> states = source.memory.states();
    source.now = source.now.plus(Duration.ofDays(7)); // an equal body within the week would only be counted

    List<ReceivedChange> changes = source.poll(question, body);

    assertThat(changes).isEmpty();
    assertThat(source.memory.states()).isEqualTo(states);
    assertThat(source.changeSet.deadLetters()).as("dead letters of %d bytes", body.length).hasSize(1);
    DeadLetter deadLetter = source.changeSet.deadLetters().getFirst();
    assertThat(deadLetter.getLength()).isEqualTo(body.length);
    assertThat(deadLetter.getReason()).isNotBlank();
    assertThat(DeadLetterBodies.body(deadLetter)).isEqualTo(body);
  }

  /** Asserts that a value of the wrong type leaves null in its place and is kept in extra; nothing else changes. */
  private static void assertKeptInExtra(AttributeRow row, String json) {
    var one = PolledSource.everything();
    JsonBody body = JsonBody.complete(row.operation());
    one.poll(row.question(), body);

    List<ReceivedChange> changes = one.poll(row.question(), body.with(row.path(), json)).stream()
        .filter(changed -> !changed.isDerived()).toList();

    String where = row + " as " + json.substring(0, Math.min(json.length(), 30));
    assertThat(one.changeSet.deadLetters()).as(where).isEmpty();
    assertThat(changes).as(where).hasSize(row.isOfTheAnswer() ? 2 : 1);
    assertThat(changes.getFirst().facets()).as(where).containsExactlyInAnyOrder(row.facet(), "extra");
    assertThat(changes.getFirst().after(row.facet())).as(where)
        .isEqualTo(Attributes.with(changes.getFirst().before(row.facet()), row.inFacet(), Map.of()));
    assertThat((String) changes.getFirst().after("extra").get("json")).as(where).contains(json);
    one.memory.assertFoldIsState();
  }

  private static void assertNotMistaken(AttributeRow row, String json) {
    var one = PolledSource.everything();
    JsonBody body = JsonBody.complete(row.operation());
    one.poll(row.question(), body);
    String key = row.key(body);
    SpecificRecord state = one.memory.find(row.resource(), key);
    JsonBody broken = body.with(row.path(), json);

    List<ReceivedChange> changes = one.poll(row.question(), broken);

    one.changeSet.deadLetters()
        .forEach(deadLetter -> assertThat(DeadLetterBodies.body(deadLetter)).isEqualTo(broken.bytes()));
    if (!one.changeSet.deadLetters().isEmpty()) {
      assertThat(changes).as("%s as %s", row, json).extracting(ReceivedChange::key).doesNotContain(key);
    }
    assertThat(changes).filteredOn(changed -> changed.key().equals(key)).as("%s as %s", row, json)
        .allSatisfy(changed -> assertThat(changed.facets()).isSubsetOf("extra", "removed"));
    if (changes.isEmpty() && one.changeSet.targetState().getAwaitingConfirmation() == 0) {
      assertThat(one.memory.find(row.resource(), key)).as("%s as %s", row, json).isEqualTo(state);
    }
    one.memory.assertFoldIsState();
  }

  private static String at(String pointer, String json) {
    return BODY.with(pointer, json).toString();
  }

  private static byte[] gzip(byte[] bytes) {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }
}
