package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.law.RecordedAnswers.Recording;
import io.tidemark.law.Upstream.Response;
import io.tidemark.market.Query;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fold law for every recorded answer of the real service, through client and detection. */
class RecordedAnswersLawTest {
  /** The vendor's own example, which says "date" instead of "data". */
  private static final String BROKEN = "global/oas-coingecko-public-api-v3-2025-05-26-7996beb.json";

  private List<Recording> recordings;

  @BeforeEach
  void read() {
    recordings = RecordedAnswers.all();
  }

  @Test
  void everyRecording_isUnderstood_butTheBrokenOne() {
    var notUnderstood = new ArrayList<String>();
    for (Recording recording : recordings) {
      var source = PolledSource.everything();
      List<ReceivedChange> changes = source.poll(recording.question(), recording.body());
      if (changes.isEmpty() || !source.changeSet.deadLetters().isEmpty()) {
        notUnderstood.add(recording.toString());
      }
    }

    assertThat(notUnderstood).containsExactly(BROKEN);
  }

  @Test
  void recordingsOfOneOperation_oneAfterTheOther_keepTheLaw() {
    var source = PolledSource.everything();
    for (Recording recording : recordings) {
      if (!recording.toString().equals(BROKEN)) {
        source.poll(recording.question(), recording.body());

        assertThat(source.changeSet.deadLetters()).as(recording.toString()).isEmpty();
        assertThat(source.poll(recording.question(), recording.document().spaced())).as("confirmed: " + recording)
            .allSatisfy(changed -> assertThat(changed.facets()).containsExactly("removed"));
        assertThat(source.poll(recording.question(), recording.body())).as("again: " + recording).isEmpty();
      }
    }

    source.memory.assertFoldIsState();
  }

  @Test
  void brokenExample_isKeptWhole() {
    Recording broken = RecordedAnswers.of(BROKEN);
    var source = PolledSource.everything();

    source.poll(broken.question(), broken.body());

    assertThat(source.changeSet.deadLetters()).singleElement()
        .satisfies(deadLetter -> assertThat(DeadLetterBodies.body(deadLetter)).isEqualTo(broken.body()));
  }

  @Test
  void twoSnapshotsOfOnePool_differInWhatTheyDifferIn() {
    var first = RecordedAnswers.of("pool/gt-2026-bsc-usdt-wbnb-seq1.json");
    var second = RecordedAnswers.of("pool/gt-2026-bsc-usdt-wbnb-seq2.json");
    var source = PolledSource.everything();
    Query<?> question = first.question();
    source.poll(question, Response.of(first.body()));

    List<ReceivedChange> changes = source.poll(question, Response.of(second.body()));

    assertThat(changes).filteredOn(changed -> !changed.isDerived()).singleElement()
        .satisfies(changed -> assertThat(changed.before("activity")).containsEntry("transactions.h24.sells", 3272L))
        .satisfies(changed -> assertThat(changed.after("activity")).containsEntry("transactions.h24.sells", 3276L));
  }
}
