package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroRecords;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class QuarantineTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  static final String CHANGES = TOPICS.pool().changes().name();

  final Quarantine quarantine =
      new Quarantine("main", ReaderRole.STREAM, List.of(TOPICS.pool().changes(), TOPICS.control()), () -> NOON);

  @Test
  void records_areCountedByTopic() {
    quarantine.add(record(3, "no change".getBytes(UTF_8)));
    quarantine.add(record(4, "no change".getBytes(UTF_8)));

    assertThat(quarantine.count(CHANGES)).isEqualTo(2);
    assertThat(quarantine.count(TOPICS.control().name())).isZero();
    assertThat(quarantine.newest().record().offset()).isEqualTo(4);
    assertThat(quarantine.newest().total()).isEqualTo(2);
    assertThat(quarantine.newest().at()).isEqualTo(NOON);
  }

  @Test
  void deadLetter_hasTheRecordWhole() throws IOException {
    var deadLetter = quarantine.add(record(3, "no change".getBytes(UTF_8)));

    assertThat(deadLetter.getSource()).isEqualTo("main");
    assertThat(deadLetter.getOperation()).isEqualTo("stream");
    assertThat(deadLetter.getTarget()).isEqualTo("t.pool.changes/2/3");
    assertThat(deadLetter.getReason()).isEqualTo(
        "topic t.pool.changes, partition 2, offset 3, key eth_0xa\\u000a: another program wrote it");
    assertThat(deadLetter.getReceivedAt()).isEqualTo(NOON);
    assertThat(deadLetter.getRecord().getReason()).isEqualTo("no_schema_id");
    assertThat(deadLetter.getRecord().getKey()).isEqualTo(ByteBuffer.wrap("eth_0xa\n".getBytes(UTF_8)));
    assertThat(deadLetter.getRecord().getTimestamp()).isEqualTo(Instant.ofEpochMilli(77));
    try (var body = new GZIPInputStream(new ByteArrayInputStream(AvroRecords.bytes(deadLetter.getBody())))) {
      assertThat(body.readAllBytes()).isEqualTo("no change".getBytes(UTF_8));
    }
  }

  @Test
  void deadLetterOfALargeRecord_fitsIntoARecord() {
    var noise = new byte[RecordLimits.BATCH];
    new Random(1).nextBytes(noise);

    var deadLetter = quarantine.add(record(3, noise));

    assertThat(deadLetter.getTruncated()).isTrue();
    assertThat(deadLetter.getLength()).isEqualTo(noise.length);
    var topic = TOPICS.deadLetters();
    assertThat(topic.serde(new BuiltInRegistry(List.of(topic))).encode(topic.name(), deadLetter))
        .hasSizeLessThan(1 << 20);
  }

  private static UnreadableRecord record(long offset, byte[] value) {
    return new UnreadableRecord(CHANGES, 2, offset, 77, "eth_0xa\n".getBytes(UTF_8), value,
        UnreadableReason.NO_SCHEMA_ID, "another program\nwrote it");
  }
}
