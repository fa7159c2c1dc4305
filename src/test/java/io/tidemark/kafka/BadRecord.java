package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.AvroSettings;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.Watch;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.avro.specific.SpecificRecordBuilderBase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

/** Records that somebody may write to any topic, and what is wrong with them. */
public enum BadRecord {
  NULL_VALUE(UnreadableReason.MISSING_VALUE),
  NULL_KEY(UnreadableReason.MISSING_KEY),
  KEY_THAT_IS_NO_TEXT(UnreadableReason.BAD_KEY),
  HUGE_KEY(UnreadableReason.TOO_LARGE),
  EMPTY_VALUE(UnreadableReason.NO_SCHEMA_ID),
  TEXT(UnreadableReason.NO_SCHEMA_ID),
  MAGIC_BYTE_ONE(UnreadableReason.NO_SCHEMA_ID),
  UNKNOWN_SCHEMA(UnreadableReason.UNKNOWN_SCHEMA),
  VALUE_OF_ANOTHER_TOPIC(UnreadableReason.OTHER_SCHEMA),
  TRUNCATED(UnreadableReason.MALFORMED),
  HUGE_VALUE(UnreadableReason.TOO_LARGE);

  private static final BuiltInRegistry REGISTRY = new BuiltInRegistry(List.of());

  private final UnreadableReason reason;

  BadRecord(UnreadableReason reason) {
    this.reason = reason;
  }

  /** Every kind of bad record in every topic. */
  public static Stream<Arguments> in(Collection<? extends Topic<?>> topics) {
    return topics.stream().flatMap(topic -> Stream.of(values()).map(bad -> Arguments.of(topic, bad)));
  }

  public byte @Nullable [] key() {
    return switch (this) {
      case NULL_KEY -> null;
      case KEY_THAT_IS_NO_TEXT -> new byte[] {'k', (byte) 0xff, (byte) 0xfe};
      case HUGE_KEY -> "k".repeat(RecordLimits.KEY + 1).getBytes(UTF_8);
      default -> ("bad/" + name()).getBytes(UTF_8);
    };
  }

  public byte @Nullable [] value(Topic<?> topic) {
    return switch (this) {
      case NULL_VALUE -> null;
      case EMPTY_VALUE -> new byte[0];
      case TEXT -> "{\"id\":\"eth_0xa\"}".getBytes(UTF_8);
      case MAGIC_BYTE_ONE -> {
        var value = good(topic);
        value[0] = 1;
        yield value;
      }
      case UNKNOWN_SCHEMA -> new byte[] {0, 0, 0, 0, 7, 1, 2, 3};
      case VALUE_OF_ANOTHER_TOPIC -> topic.value().equals(Watch.class)
          ? encode(TargetMembers.class)
          : encode(Watch.class);
      case TRUNCATED -> {
        var value = good(topic);
        yield Arrays.copyOf(value, value.length - 1);
      }
      case HUGE_VALUE -> new byte[RecordLimits.BATCH + 1];
      case NULL_KEY, KEY_THAT_IS_NO_TEXT, HUGE_KEY -> good(topic);
    };
  }

  /** Why a reader of the topic cannot use it; null where it can, as a tombstone in a compacted topic. */
  public @Nullable UnreadableReason reasonIn(Topic<?> topic) {
    return switch (this) {
      case NULL_VALUE -> topic.cleanup().isCompacted() ? null : reason;
      case NULL_KEY -> topic.isKeyed() ? reason : null;
      default -> reason;
    };
  }

  /** Whether its value is one of the topic. */
  public boolean isInTheKey() {
    return this == NULL_KEY || this == KEY_THAT_IS_NO_TEXT || this == HUGE_KEY;
  }

  /** A value of the topic in which every field has its default. */
  public static byte[] good(Topic<?> topic) {
    return encode(topic.value());
  }

  private static <V extends SpecificRecord> byte[] encode(Class<V> type) {
    AvroSettings.apply();
    try {
      var builder = (SpecificRecordBuilderBase<?>) type.getMethod("newBuilder").invoke(null);
      var value = type.cast(builder.getClass().getMethod("build").invoke(builder));
      return new AvroSerde<>(type, REGISTRY).encode("any", value);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }
}
