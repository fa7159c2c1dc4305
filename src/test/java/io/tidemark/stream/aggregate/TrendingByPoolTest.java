package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Origin;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Trending;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TrendingByPoolTest {

  private final AggregateRun<Trending> run = new AggregateRun<>(new TrendingByPool());

  @Test
  void stays_addUp() {
    feedListing(minute(1), "1h", "entered", 7);
    feedListing(minute(3), "1h", "moved", 2);
    feedListing(minute(5), "1h", "exited", null);
    feedListing(minute(8), "1h", "entered", 9);
    run.until(minute(10));

    assertThat(run.published()).last().satisfies(trending -> {
      assertThat(trending.getEntries()).isEqualTo(2);
      assertThat(trending.getBestRank()).isEqualTo(2);
      assertThat(trending.getSeconds()).isEqualTo(240 + 120.0);
      assertThat(trending.getDurations()).isEqualTo(1);
    });
  }

  @Test
  void durations_agreeWhereTheyListThePool() {
    feedListing(minute(1), "5m", "entered", 3);
    feedListing(minute(1), "1h", "entered", 4);
    feedListing(minute(2), "24h", "entered", 1);
    feedListing(minute(3), "5m", "exited", null);
    run.until(minute(4));

    assertThat(run.published()).singleElement().satisfies(trending -> {
      assertThat(trending.getDurations()).isEqualTo(2);
      assertThat(trending.getKnown()).isEqualTo(3);
      assertThat(trending.getBestRank()).isEqualTo(1);
    });
  }

  @Test
  void poolListedInTheFirstSnapshot_didNotEnter() {
    var listing = listing(minute(1), "1h", "entered", 3);
    listing.setOrigin(Origins.baseline(minute(1)));
    run.change("pool", listing, minute(1));
    run.until(minute(3));

    assertThat(run.published()).singleElement().satisfies(trending -> {
      assertThat(trending.getEntries()).isZero();
      assertThat(trending.getDurations()).isEqualTo(1);
      assertThat(trending.getSeconds()).isEqualTo(120.0);
    });
  }

  @Test
  void otherLists_areNoTrend() {
    var listing = listing(minute(1), "1h", "entered", 3);
    listing.setKind("new");
    run.change("pool", listing, minute(1));
    run.until(minute(3));

    assertThat(run.published()).isEmpty();
  }

  @Test
  void poolInNoList_isDroppedAfterTwoDays() {
    feedListing(minute(1), "1h", "entered", 7);
    feedListing(minute(2), "1h", "exited", null);
    run.until(minute(3));
    assertThat(run.stored("pool").getDurations()).isZero();

    run.until(minute(49 * 60));
    run.until(minute(49 * 60 + 1));

    assertThat(run.stored("pool")).isNull();
  }

  @Test
  void restartedTask_countsOn() {
    feedListing(minute(1), "1h", "entered", 7);
    run.until(minute(2));

    run.restart();
    feedListing(minute(3), "1h", "exited", null);
    feedListing(minute(4), "1h", "entered", 1);
    run.until(minute(5));

    assertThat(run.published()).last().satisfies(trending -> {
      assertThat(trending.getEntries()).isEqualTo(2);
      assertThat(trending.getSeconds()).isEqualTo(180.0);
    });
  }

  private void feedListing(Instant at, String duration, String action, Integer rank) {
    run.change("pool", listing(at, duration, action, rank), at);
  }

  private static PoolListing listing(Instant at, String duration, String action, Integer rank) {
    return PoolListing.newBuilder()
        .setPool("pool")
        .setKind("trending")
        .setList("solana/trending/" + duration)
        .setDuration(duration)
        .setAction(action)
        .setRank(rank)
        .setOrigin(Origin.newBuilder(Origins.at(at)).build())
        .build();
  }
}
