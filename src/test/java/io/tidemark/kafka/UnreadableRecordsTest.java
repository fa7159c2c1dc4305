package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnreadableRecordsTest {

  static final String TOPIC = "t.pool.state";

  final Quarantine quarantine = new Quarantine("main", ReaderRole.LEDGER, List.of(), () -> Instant.EPOCH);
  final UnreadableRecords records = new UnreadableRecords(quarantine);

  @Test
  void recordsBeyondTheBound_areOnlyCounted() {
    for (var offset = 0; offset < 36; offset++) {
      records.add(record(offset, 1 << 20));
    }

    var drained = new ArrayList<UnreadableRecord>();
    records.drainTo(drained::add);
    assertThat(drained).extracting(UnreadableRecord::offset).startsWith(0L, 1L).hasSize(31);
    assertThat(quarantine.total()).isEqualTo(5);
  }

  @Test
  void drainedRecords_makeRoom() {
    records.add(record(0, 31 << 20));
    records.drainTo(drained -> {});

    records.add(record(1, 31 << 20));

    assertThat(records.isEmpty()).isFalse();
    assertThat(quarantine.total()).isZero();
  }

  private static UnreadableRecord record(long offset, int size) {
    return new UnreadableRecord(TOPIC, 0, offset, 0, null, new byte[size], UnreadableReason.MALFORMED, "no state");
  }
}
