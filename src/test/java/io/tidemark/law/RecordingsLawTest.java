package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.law.Recordings.Recording;
import io.tidemark.law.Upstream.Response;
import io.tidemark.market.Query;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every recorded answer of the real service, through client and detection. */
class RecordingsLawTest {
  /** The vendor's own example says "date" where it means "data". */
  private static final String BROKEN = "global/oas-coingecko-public-api-v3-2025-05-26-7996beb.json";

  private List<Recording> recordings;

  @BeforeEach
  void read() {
    recordings = Recordings.all();
  }

  @Test
  void everyRecording_isUnderstood_butTheBrokenOne() {
    var notUnderstood = new ArrayList<String>();
    for (Recording recording : recordings) {
      var watch = Watch.everything();
      List<Changed> changes = watch.look(recording.question(), recording.body());
      if (changes.isEmpty() || !watch.outcome.deadLetters().isEmpty()) {
        notUnderstood.add(recording.toString());
      }
    }

    assertThat(notUnderstood).containsExactly(BROKEN);
  }

  @Test
  void recordingsOfOneOperation_oneAfterTheOther_keepTheLaw() {
    var watch = Watch.everything();
    for (Recording recording : recordings) {
      if (!recording.toString().equals(BROKEN)) {
        watch.look(recording.question(), recording.body());

        assertThat(watch.outcome.deadLetters()).as(recording.toString()).isEmpty();
        assertThat(watch.look(recording.question(), recording.document().spaced())).as("confirmed: " + recording)
            .allSatisfy(changed -> assertThat(changed.facets()).containsExactly("left"));
        assertThat(watch.look(recording.question(), recording.body())).as("again: " + recording).isEmpty();
      }
    }

    watch.memory.assertFoldIsState();
  }

  @Test
  void brokenExample_isKeptWhole() {
    Recording broken = Recordings.of(BROKEN);
    var watch = Watch.everything();

    watch.look(broken.question(), broken.body());

    assertThat(watch.outcome.deadLetters()).singleElement()
        .satisfies(letter -> assertThat(Letters.body(letter)).isEqualTo(broken.body()));
  }

  @Test
  void twoSnapshotsOfOnePool_differInWhatTheyDifferIn() {
    var first = Recordings.of("pool/gt-2026-bsc-usdt-wbnb-seq1.json");
    var second = Recordings.of("pool/gt-2026-bsc-usdt-wbnb-seq2.json");
    var watch = Watch.everything();
    Query<?> question = first.question();
    watch.look(question, Response.of(first.body()));

    List<Changed> changes = watch.look(question, Response.of(second.body()));

    assertThat(changes).filteredOn(changed -> !changed.isDerived()).singleElement()
        .satisfies(changed -> assertThat(changed.before("activity")).containsEntry("transactions.h24.sells", 3272L))
        .satisfies(changed -> assertThat(changed.after("activity")).containsEntry("transactions.h24.sells", 3276L));
  }
}
