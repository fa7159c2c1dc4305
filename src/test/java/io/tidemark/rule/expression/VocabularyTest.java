package io.tidemark.rule.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Candle;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.RankingChange;
import org.junit.jupiter.api.Test;

class VocabularyTest {

  @Test
  void facet_hasItsValuesAfterAndBeforeAndWhetherItChanged() {
    assertThat(Vocabulary.of(PoolChange.getClassSchema()).namesWithoutPrevious())
        .contains("price.base_token_price_usd", "before.price.base_token_price_usd", "changed.price")
        .contains("price.move_percent", "price.before_observed_at", "activity.volume_usd.m5")
        .contains("activity.transactions.h1.buyers", "launchpad.launchpad_details.completed");
  }

  @Test
  void changeRecord_hasIdentityAboutOriginAndAppearance() {
    assertThat(Vocabulary.of(PoolChange.getClassSchema()).namesWithoutPrevious())
        .contains("id", "network", "generation", "revision", "about.reserve_usd", "origin.baseline", "appeared.kind")
        .contains("changed.appeared", "changed.removed", "visibility.visible", "removed.reason")
        .doesNotContain("changed.about", "changed.origin");
  }

  @Test
  void order_isPlainFieldsAndWhetherItChanged() {
    assertThat(Vocabulary.of(RankingChange.getClassSchema()).namesWithoutPrevious())
        .contains("order.size", "order.entered", "changed.order");
  }

  @Test
  void map_isOneName() {
    assertThat(Vocabulary.of(GlobalChange.getClassSchema()).namesWithoutPrevious())
        .contains("market_cap.total_market_cap");
  }

  @Test
  void otherRecords_areTheirFieldsByPath() {
    assertThat(Vocabulary.of(PoolListing.getClassSchema()).namesWithoutPrevious()).contains("action", "list",
        "about.name");
    assertThat(Vocabulary.of(Candle.getClassSchema()).namesWithoutPrevious()).contains("open", "end", "longest_gap");
    assertThat(Vocabulary.of(PoolState.getClassSchema()).namesWithoutPrevious())
        .contains("known.price.base_token_price_usd")
        .doesNotContain("memory");
  }
}
