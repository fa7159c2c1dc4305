package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedOffsetsTest {

  static final FeedOffsets OFFSETS = new FeedOffsets(Uuid.randomUuid(), List.of(0L, 7L, 1L << 50));

  @Test
  void id_isParsedAsItWasWritten_andNeedsNoEncodingInUrls() {
    assertThat(FeedOffsets.parse(OFFSETS.id())).isEqualTo(OFFSETS);
    assertThat(OFFSETS.id()).matches("[A-Za-z0-9_.-]+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "69300", "x.1", "AAAAAAAAAAAAAAAAAAAAAA.-1", "AAAAAAAAAAAAAAAAAAAAAA.",
    "AAAAAAAAAAAAAAAAAAAAAA.9999999999999999999"})
  void otherText_isRefused(String id) {
    assertThatThrownBy(() -> FeedOffsets.parse(id)).isInstanceOf(FeedRefusal.class)
        .hasMessageContaining("send it exactly as received");
  }

  @Test
  void offsetsBeyondOthers_areCountedWhereTheyAreAbove() {
    assertThat(at(0, 7, 5).beyond(at(0, 7, 5))).isZero();
    assertThat(at(3, 7, 9).beyond(at(1, 8, 5))).isEqualTo(6);
  }

  private static FeedOffsets at(long... next) {
    return new FeedOffsets(OFFSETS.topicId(), Arrays.stream(next).boxed().toList());
  }
}
