package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.TopicReader.LostRange;
import io.tidemark.serve.feed.CatchUp.ResumePlan;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Offsets of a reader that comes back, beside the log as it is. */
class ResumePlanTest {

  static final Uuid TOPIC = Uuid.randomUuid();
  static final List<Long> EARLIEST = List.of(10L, 10L);
  static final List<Long> LATEST = List.of(20L, 20L);

  @Test
  void offsetsWithinTheLog_areResumedExactly() {
    var plan = plan(TOPIC, 10, 20);

    assertThat(plan.begin().next()).isEqualTo(List.of(10L, 20L));
    assertThat(plan.lost()).isEmpty();
  }

  @Test
  void offsetsThatRetentionPassed_areAGapOfThatPartition() {
    var plan = plan(TOPIC, 4, 15);

    assertThat(plan.begin().next()).isEqualTo(List.of(10L, 15L));
    assertThat(plan.lost()).containsExactly(lost(0, 4, 10));
  }

  @Test
  void offsetsBeyondTheLog_areAGapBackwards() {
    var plan = plan(TOPIC, 25, 15);

    assertThat(plan.begin().next()).isEqualTo(List.of(20L, 15L));
    assertThat(plan.lost()).containsExactly(lost(0, 25, 20));
  }

  @Test
  void offsetsOfARecreatedTopic_areAGap_andItIsReadWhole() {
    var plan = plan(Uuid.randomUuid(), 12, 15);

    assertThat(plan.begin()).isEqualTo(new FeedOffsets(TOPIC, EARLIEST));
    assertThat(plan.lost()).containsExactly(lost(0, 12, 10), lost(1, 15, 10));
  }

  @Test
  void partitionThatIsNew_isReadFromItsBeginning() {
    var plan = plan(TOPIC, 12);

    assertThat(plan.begin().next()).isEqualTo(List.of(12L, 10L));
    assertThat(plan.lost()).isEmpty();
  }

  private static ResumePlan plan(Uuid topic, long... next) {
    return ResumePlan.of("t", new FeedOffsets(topic, Arrays.stream(next).boxed().toList()), TOPIC, EARLIEST, LATEST);
  }

  private static LostRange lost(int partition, long begin, long end) {
    return new LostRange(new TopicPartition("t", partition), begin, end);
  }
}
