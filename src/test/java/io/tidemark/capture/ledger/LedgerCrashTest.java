package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.capture.ledger.TestSource.Heard;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolState;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Wherever an instance dies: what readers see is whole, in order, and once. */
class LedgerCrashTest {

  static final String POOL = "eth_0xa";

  final TestSource source = new TestSource();

  @ParameterizedTest
  @EnumSource
  void instanceDies_nextOneGoesOnWithoutGapOrRepetition(CrashPoint crash) {
    try (var dying = source.start(crash.producers())) {
      assertThatThrownBy(
          () -> dying.commit(List.of(PoolOutcomes.outcome(PoolOutcomes.priced(dying.states(), POOL, "0")))))
          .isInstanceOf(LedgerFailure.Unexpected.class)
          .hasMessageContaining("killed " + crash);
    }

    try (var next = source.start()) {
      IntStream.range(1, 4).forEach(price -> commit(next, "" + price));
    }

    var changes = source.committed(source.topics.pool().changes()).stream().map(Heard::value).toList();
    assertThat(changes).extracting(PoolChange::getRevision).isEqualTo(upTo(changes.size()));
    assertThat(changes.size()).isBetween(3, 4);
    assertChained(changes);
    assertThat(newest().getRevision()).isEqualTo(changes.size());
    assertThat(newest().getKnown().getPrice()).isEqualTo(changes.getLast().getPrice().getAfter());
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_SEND", "AFTER_COMMIT"})
  void crashedTransaction_isKnownExactlyIfItWasCommitted(CrashPoint crash) {
    try (var dying = source.start(crash.producers())) {
      assertThatThrownBy(
          () -> dying.commit(List.of(PoolOutcomes.outcome(PoolOutcomes.priced(dying.states(), POOL, "0")))))
          .isInstanceOf(LedgerFailure.class);
    }

    try (var next = source.start()) {
      assertThat(next.states().find("pool", POOL) != null).isEqualTo(crash == CrashPoint.AFTER_COMMIT);
      assertThat(next.states().targetState(PoolOutcomes.TARGET) != null).isEqualTo(crash == CrashPoint.AFTER_COMMIT);
    }
  }

  private static void commit(Ledger ledger, String price) {
    ledger.commit(List.of(PoolOutcomes.outcome(PoolOutcomes.priced(ledger.states(), POOL, price))));
  }

  private static List<Long> upTo(int last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private static void assertChained(List<PoolChange> changes) {
    for (int i = 1; i < changes.size(); i++) {
      assertThat(changes.get(i).getPrice().getBefore()).isEqualTo(changes.get(i - 1).getPrice().getAfter());
    }
  }

  private PoolState newest() {
    return source.committed(source.topics.pool().state()).getLast().value();
  }
}
