package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static io.tidemark.stream.aggregate.Origins.second;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.event.Converted;
import io.tidemark.event.Removed;
import io.tidemark.event.TickerAbout;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerConverted;
import io.tidemark.event.TickerConvertedChange;
import io.tidemark.event.TickerQuality;
import io.tidemark.event.TickerQualityChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenDescription;
import io.tidemark.event.TokenDescriptionChange;
import io.tidemark.event.TokenPoolPrice;
import io.tidemark.event.TokenPoolPriceChange;
import io.tidemark.event.Venues;
import io.tidemark.event.Visibility;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class VenuesByCoinTest {

  private final AggregateRun<Venues> run = new AggregateRun<>(new VenuesByCoin());

  @Test
  void marketsAndPools_areCompared() {
    ticker("binance", 100.0);
    ticker("kraken", 102.0);
    token("eth_A", "bitcoin", 104.0, 5_000.0);
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(venues -> {
      assertThat(venues.getCoin()).isEqualTo("bitcoin");
      assertThat(venues.getTickers()).isEqualTo(2);
      assertThat(venues.getPools()).isEqualTo(1);
      assertThat(venues.getCheapest().getMarket()).isEqualTo("binance");
      assertThat(venues.getDearest().getKind()).isEqualTo("pool");
      assertThat(venues.getMedianUsd()).isEqualTo(102.0);
      assertThat(venues.getSpreadPercent()).isCloseTo(4.0, within(1e-9));
      assertThat(venues.getVolumeUsd()).isEqualTo(2_000.0);
    });
  }

  @Test
  void doubtfulPrices_areKnownAndNotCompared() {
    ticker("binance", 100.0);
    ticker("nan", Double.NaN);
    ticker("none", null);
    ticker("zero", 0.0);
    var stale = ticker("kraken", 500.0, second(11));
    stale.setQuality(TickerQualityChange.newBuilder()
        .setAfter(TickerQuality.newBuilder().setIsStale(true).build())
        .build());
    run.change("bitcoin/kraken/BTC/USD", stale, second(11));
    token("eth_A", "bitcoin", 1.0, 999.0);
    token("eth_B", null, 2.0, 9_999.0);
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(venues -> {
      assertThat(venues.getVenues()).isEqualTo(6);
      assertThat(venues.getCompared()).isEqualTo(1);
      assertThat(venues.getMedianUsd()).isEqualTo(100.0);
      assertThat(venues.getSpreadPercent()).isNull();
    });
  }

  @Test
  void tickerNotVisibleAndVisibleAgain_isComparedAgain() {
    ticker("binance", 100.0);
    ticker("kraken", 110.0);
    var hidden = ticker("kraken", 110.0, minute(20));
    hidden.setVisibility(new Visibility(false, second(10)));
    run.change("bitcoin/kraken/BTC/USD", hidden, minute(20));
    run.until(minute(21));
    assertThat(run.stored("bitcoin").getVisible()).isEqualTo(1);
    assertThat(run.stored("bitcoin").getCompared()).isEqualTo(1);

    var back = ticker("kraken", 105.0, minute(22));
    back.setVisibility(new Visibility(true, second(10)));
    run.change("bitcoin/kraken/BTC/USD", back, minute(22));
    run.restart();
    run.until(minute(23));

    assertThat(run.published()).singleElement()
        .satisfies(venues -> assertThat(venues.getSpreadPercent()).isCloseTo(5.0, within(1e-9)));
  }

  @Test
  void delistedTicker_isDropped() {
    ticker("binance", 100.0);
    var removed = ticker("binance", 100.0, minute(2));
    removed.setRemoved(new Removed("delisted"));
    run.change("bitcoin/binance/BTC/USD", removed, minute(2));
    run.until(minute(3));

    assertThat(run.stored("bitcoin")).isNull();
  }

  private void ticker(String market, Double price) {
    run.change("bitcoin/" + market + "/BTC/USD", ticker(market, price, second(10)), second(10));
  }

  private static TickerChange ticker(String market, Double price, Instant at) {
    var converted = TickerConverted.newBuilder()
        .setConvertedVolume(Converted.newBuilder().setUsd(1_000.0).build())
        .build();
    return TickerChange.newBuilder()
        .setCoin("bitcoin")
        .setMarket(market)
        .setBase("BTC")
        .setTarget("USD")
        .setOrigin(Origins.at(at))
        .setAbout(TickerAbout.newBuilder().setPriceUsd(price).build())
        .setConverted(TickerConvertedChange.newBuilder().setAfter(converted).build())
        .build();
  }

  private void token(String id, String coin, Double price, Double reserve) {
    var change = TokenChange.newBuilder()
        .setId(id)
        .setNetwork("eth")
        .setOrigin(Origins.at(second(10)))
        .setDescription(TokenDescriptionChange.newBuilder()
            .setAfter(TokenDescription.newBuilder().setServiceCoinId(coin).build())
            .build())
        .setPoolPrice(TokenPoolPriceChange.newBuilder()
            .setAfter(TokenPoolPrice.newBuilder().setPriceUsd(price).setPool("eth_pool").setReserveUsd(reserve).build())
            .build())
        .build();
    run.change(id, change, second(10));
  }
}
