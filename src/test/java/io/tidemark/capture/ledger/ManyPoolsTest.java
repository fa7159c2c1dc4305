package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.replay.Recordings;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** A ledger takes over very many pools, of which few are members of a target. */
class ManyPoolsTest {

  static final int COUNT = 20_000;

  final TestSource source = new TestSource();
  final RecordedPools pools = new RecordedPools(Recordings.folder(), source.start);

  @Test
  void manyPools_areRestoredAsTheyWere() {
    source.start().close();
    new PoolTopics(source.topics, source.registry, pools, source.start).write(COUNT, TestSource.KAFKA);
    var progress = new ArrayList<Long>();
    var listener = new LedgerListener() {
      @Override
      public void restored(long read, long total) {
        progress.add(read);
      }
    };
    var settings = new LedgerSettings("main", "instance-1", source.topics, TestSource.TWO, TestSource.KAFKA,
        TestSource.OPEN_TRANSACTION_WAIT);

    try (var ledger =
        TestSource.start(settings, source.registry, ProducerFactory.KAFKA, () -> source.now,
            listener)) {
      var known = ledger.states();
      assertThat(known.size("pool")).isEqualTo(COUNT);
      for (var number = 0; number < COUNT; number += 7) {
        var pool = PoolTopics.pool(pools, number);
        assertThat(known.find("pool", pool.getKnown().getId())).isEqualTo(pool);
      }
      var member = PoolTopics.pool(pools, 41).getKnown().getId();
      assertThat(known.members(PoolTopics.name(2))).singleElement()
          .satisfies(page -> assertThat(page.getMembers()).hasSize(20).contains(member));
    }
    assertThat(progress).isSorted().hasSizeGreaterThan(1);
  }
}
