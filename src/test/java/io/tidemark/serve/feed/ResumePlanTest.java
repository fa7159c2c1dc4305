package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.TopicReader.LostRange;
import io.tidemark.serve.feed.CatchUp.ResumePlan;
import io.tidemark.serve.feed.FeedOffsets.LongList;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Offsets of a reader that comes back, beside the log as it is. */
class ResumePlanTest {

  static final Uuid TOPIC = Uuid.randomUuid();
  static final LongList EARLIEST = new LongList(10, 10);
  static final LongList LATEST = new LongList(20, 20);

  @Test
  void offsetsWithinTheLog_areResumedExactly() {
    var plan = plan(TOPIC, 10, 20);

    assertThat(plan.begin().next()).isEqualTo(new LongList(10, 20));
    assertThat(plan.lost()).isEmpty();
  }

  @Test
  void offsetsThatRetentionPassed_areAGapOfThatPartition() {
    var plan = plan(TOPIC, 4, 15);

    assertThat(plan.begin().next()).isEqualTo(new LongList(10, 15));
    assertThat(plan.lost()).containsExactly(lost(0, 4, 10));
  }

  @Test
  void offsetsBeyondTheLog_areAGapBackwards() {
    var plan = plan(TOPIC, 25, 15);

    assertThat(plan.begin().next()).isEqualTo(new LongList(20, 15));
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

    assertThat(plan.begin().next()).isEqualTo(new LongList(12, 10));
    assertThat(plan.lost()).isEmpty();
  }

  private static ResumePlan plan(Uuid topic, long... next) {
    return ResumePlan.of("t", new FeedOffsets(topic, new LongList(next)), TOPIC, EARLIEST, LATEST);
  }

  private static LostRange lost(int partition, long begin, long end) {
    return new LostRange(new TopicPartition("t", partition), begin, end);
  }
}
