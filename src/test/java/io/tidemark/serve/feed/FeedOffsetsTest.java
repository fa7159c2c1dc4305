package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serve.feed.FeedOffsets.LongList;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedOffsetsTest {

  static final FeedOffsets OFFSETS = new FeedOffsets(Uuid.randomUuid(), new LongList(0, 7, 1L << 50));

  @Test
  void id_isParsedAsItWasWritten_andNeedsNoEncodingInUrls() {
    assertThat(FeedOffsets.parse(OFFSETS.id())).isEqualTo(OFFSETS);
    assertThat(OFFSETS.id()).matches("[A-Za-z0-9_.-]+");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "69300", "x.1", "AAAAAAAAAAAAAAAAAAAAAA.-1", "AAAAAAAAAAAAAAAAAAAAAA.",
    "AAAAAAAAAAAAAAAAAAAAAA.9999999999999999999"})
  void otherText_isRefused(String id) {
    assertThatThrownBy(() -> FeedOffsets.parse(id)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("send it exactly as received");
  }

  @Test
  void offsetsBeyondOthers_areCountedWhereTheyAreAbove() {
    assertThat(new LongList(0, 7, 5).beyond(new LongList(0, 7, 5))).isZero();
    assertThat(new LongList(3, 7, 9).beyond(new LongList(1, 8, 5))).isEqualTo(6);
  }
}
