package io.tidemark.cli.wiring;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Where reading begins. */
public sealed interface StartPosition {

  void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions);

  record Beginning() implements StartPosition {
    @Override
    public void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
      consumer.seekToBeginning(partitions);
    }
  }

  record Now() implements StartPosition {
    @Override
    public void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
      consumer.endOffsets(partitions).forEach(consumer::seek);
    }
  }

  /** With the first record of that time or later. */
  record At(Instant time) implements StartPosition {
    @Override
    public void seek(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
      new Now().seek(consumer, partitions);
      var times = new HashMap<TopicPartition, Long>();
      partitions.forEach(partition -> times.put(partition, time.toEpochMilli()));
      consumer.offsetsForTimes(times).forEach((partition, found) -> {
        if (found != null) {
          consumer.seek(partition, found.offset());
        }
      });
    }
  }

  /** {@code beginning}, {@code now}, a time such as 2026-03-10T12:00:00Z, or a day, which begins at 00:00 UTC. */
  static StartPosition parse(String text) {
    return switch (text) {
      case "beginning" -> new Beginning();
      case "now" -> new Now();
      default -> new At(time(text));
    };
  }

  /** A time, or the beginning of a day. */
  static Instant time(String text) {
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no place to begin: beginning, now, or a time such as 2026-03-10T12:00:00Z", e);
    }
  }
}
