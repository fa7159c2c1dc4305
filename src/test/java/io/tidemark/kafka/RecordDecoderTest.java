package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Launches;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolState;
import io.tidemark.event.QuarantinedRecord;
import io.tidemark.event.TargetMembers;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RecordDecoderTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final BuiltInRegistry REGISTRY = new BuiltInRegistry(TOPICS.all());
  static final RecordDecoder<PoolChange> CHANGES = TOPICS.pool().changes().decoder(REGISTRY);
  static final byte[] CHANGE =
      CHANGES.serde().encode("t.pool.changes", PoolChange.newBuilder().setId("eth_0xa").setNetwork("eth").build());

  @Test
  void tombstone_isReadableInACompactedTopicOnly() {
    assertThat(TOPICS.pool().state().decoder(REGISTRY).value(null)).isNull();
    assertThat(AggregateTopics.aggregate(TOPICS, Launches.class).decoder(REGISTRY).value(null))
        .as("compacted and deleted").isNull();

    assertUnreadable(UnreadableReason.MISSING_VALUE, () -> CHANGES.value(null));
  }

  @Test
  void key_isMissingInControlRecordsOnly() {
    assertThat(TOPICS.control().decoder(REGISTRY).key(null)).isNull();
    assertThat(CHANGES.key("eth_0xa".getBytes(UTF_8))).isEqualTo("eth_0xa");

    assertUnreadable(UnreadableReason.MISSING_KEY, () -> CHANGES.key(null));
    assertUnreadable(UnreadableReason.BAD_KEY, () -> CHANGES.key(new byte[] {'e', (byte) 0xff}));
  }

  @Test
  void everyReason_isDocumentedInDeadLetters() {
    var reason = QuarantinedRecord.getClassSchema().getField("reason");

    var reasons = Stream.of(UnreadableReason.values()).map(UnreadableReason::wire).toArray(String[]::new);

    assertThat(reason.getObjectProp("values")).asInstanceOf(InstanceOfAssertFactories.LIST)
        .containsExactlyInAnyOrder((Object[]) reasons);
    assertThat(reason.doc().split("\\W+")).contains(reasons);
  }

  static Stream<Arguments> unreadable() {
    var state = TOPICS.pool().state().serde(REGISTRY).encode("t.pool.state", PoolState.newBuilder().build());
    return Stream.of(
        Arguments.of(UnreadableReason.NO_SCHEMA_ID, new byte[0]),
        Arguments.of(UnreadableReason.NO_SCHEMA_ID, "{\"id\":1}".getBytes(UTF_8)),
        Arguments.of(UnreadableReason.NO_SCHEMA_ID, new byte[] {0, 0, 0}),
        Arguments.of(UnreadableReason.UNKNOWN_SCHEMA, new byte[] {0, 0, 0, 0, 7, 1, 2}),
        Arguments.of(UnreadableReason.OTHER_SCHEMA, state),
        Arguments.of(UnreadableReason.MALFORMED, Arrays.copyOf(CHANGE, CHANGE.length - 1)),
        Arguments.of(UnreadableReason.TOO_LARGE, new byte[RecordLimits.BATCH + 1]));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void unreadableValue_hasItsReason(UnreadableReason reason, byte[] value) {
    assertUnreadable(reason, () -> CHANGES.value(value));
  }

  /** A length that no record has would take all memory before the first byte behind it is read. */
  @Test
  void hugeLengths_takeNoMemory() {
    var longest = new byte[] {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f}; // 2^31 - 1 as a zigzag number
    var header = Arrays.copyOf(CHANGE, 5);
    assertUnreadable(UnreadableReason.MALFORMED, () -> CHANGES.value(joined(header, longest)));

    var members = TOPICS.targetMembers().decoder(REGISTRY);
    var value = members.serde().encode("t.target.members", new TargetMembers("", 0, List.of(), null));
    var list = joined(Arrays.copyOf(value, 7), longest); // id, target, page, then the length of the list
    assertUnreadable(UnreadableReason.MALFORMED, () -> members.value(list));
  }

  /** Whatever the bytes are: a value, or an exception that says that they are none. */
  @Test
  void anyBytes_areAValueOrUnreadable() {
    var random = new Random(7);
    var decoders = List.of(CHANGES, TOPICS.targetState().decoder(REGISTRY), TOPICS.control().decoder(REGISTRY),
        TOPICS.ranking().changes().decoder(REGISTRY), TOPICS.alerts().decoder(REGISTRY));
    for (var decoder : decoders) {
      var header = ByteBuffer.allocate(5).put((byte) 0).putInt(BuiltInRegistry.idOf(decoder.topic().schema())).array();
      IntStream.range(0, 20_000).forEach(i -> {
        var body = new byte[random.nextInt(64)];
        random.nextBytes(body);
        decode(decoder, joined(header, body));
      });
    }
  }

  private static void decode(RecordDecoder<?> decoder, byte[] bytes) {
    try {
      decoder.value(bytes);
    } catch (UnreadableRecordException e) {
      assertThat(e.reason()).isEqualTo(UnreadableReason.MALFORMED);
    }
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  private static void assertUnreadable(UnreadableReason reason, Runnable decode) {
    assertThatThrownBy(decode::run).isInstanceOfSatisfying(UnreadableRecordException.class,
        failure -> assertThat(failure.reason()).isEqualTo(reason));
  }
}
