package io.tidemark.capture.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerPrice;
import io.tidemark.event.TickerState;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.TickerOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A coin's tickers, of which the watched pages are all or only the first. */
class TickersTest {
  private static final Query.CoinTickers TICKERS =
      new Query.CoinTickers(
          "bitcoin", null, false, 1, TickerOrder.VOLUME_DESC, false, DexPairFormat.CONTRACT_ADDRESS);

  private final ManualSource source = new ManualSource(PublishSettings.MATERIAL);

  @Test
  void tickerThatFallsOffTheWatchedPages_isNotVisible() {
    poll(false, "kraken", "binance");
    Instant observed = source.now;
    poll(false, "kraken", "bybit");

    assertThat(due("bitcoin/binance/BTC/USD")).isEqualTo(observed.plus(Duration.ofMinutes(15)));
    assertThat(due("bitcoin/kraken/BTC/USD")).isNull();
  }

  @Test
  void newTicker_isFound_andCreatedIfTheListBeforeWasComplete() {
    poll(false, "kraken", "binance");
    assertThat(appeared(poll(true, "kraken", "bybit"), "bybit")).isEqualTo("found");
    assertThat(appeared(poll(true, "kraken", "bybit", "bitfinex"), "bitfinex")).isEqualTo("created");
  }

  @Test
  void pageWatchedFromNowOn_isBaseline() {
    pages(false, List.of("kraken"));
    ChangeSet more = pages(true, List.of("kraken"), List.of("binance"));

    assertThat(change(more, "binance").getAppeared()).isNull();
    assertThat(change(more, "binance").getOrigin().getBaseline()).isTrue();
    assertThat(appeared(pages(true, List.of("kraken"), List.of("binance", "bybit")), "bybit")).isEqualTo("created");
  }

  /** It came back as created: a list that was whole before did not have it. */
  @Test
  void tickerWhoseStateIsLost_isReobserved() {
    poll(true, "kraken", "binance");
    source.known.states.remove("ticker bitcoin/binance/BTC/USD");
    var again = poll(true, "kraken", "binance", "bybit");

    assertThat(appeared(again, "binance")).isEqualTo("reobserved");
    assertThat(change(again, "binance").getOrigin().getKeyFrame()).isTrue();
    assertThat(change(again, "binance").getRevision()).isEqualTo(1);
    assertThat(change(again, "binance").getGeneration()).isEqualTo(source.now);
    assertThat(appeared(again, "bybit")).isEqualTo("created");
  }

  @Test
  void tickerThatReturnsAfterItsRemoval_hasAllFacets() {
    poll(true, "kraken", "binance");
    poll(true, "kraken");
    var gone = poll(true, "kraken");
    var removed = change(gone, "binance");
    var returned = poll(true, "kraken", "binance");
    var back = change(returned, "binance");

    assertThat(state(gone, "binance")).returns("delisted", TickerState::getRemoved).returns(false,
        TickerState::getVisible);
    assertThat(state(returned, "binance")).returns(null, TickerState::getRemoved).returns(true,
        TickerState::getVisible);
    assertThat(removed.getRemoved().getReason()).isEqualTo("delisted");
    assertThat(removed.getOrigin().getKeyFrame()).isFalse();
    assertThat(back.getAppeared().getKind()).isEqualTo("found");
    assertThat(back.getGeneration()).isEqualTo(removed.getGeneration());
    assertThat(back.getOrigin().getKeyFrame()).isTrue();
    assertThat(back.getPrice().getAfter()).isEqualTo(back.getPrice().getBefore());
    assertThat(back.getPrice().getAfter().getLast()).isEqualTo(1.0);
  }

  /** The absence is stored after the pages, of which the last was never written because it was empty. */
  @Test
  void tickerThatIsGone_lastPageIsEmpty_isRemoved() {
    pages(true, List.of("kraken", "binance"), List.of());
    pages(true, List.of("kraken"), List.of());
    var gone = pages(true, List.of("kraken", "bybit"), List.of());

    assertThat(change(gone, "binance").getRemoved().getReason()).isEqualTo("delisted");
    assertThat(source.known.members(ManualSource.nameOf(TICKERS)))
        .filteredOn(page -> page.getPage() > 0).extracting(TargetMembers::getMembers)
        .containsExactly(List.of("bitcoin/kraken/BTC/USD", "bitcoin/bybit/BTC/USD"), List.of(), List.of());
  }

  private static String appeared(ChangeSet changeSet, String market) {
    return change(changeSet, market).getAppeared().getKind();
  }

  private static TickerChange change(ChangeSet changeSet, String market) {
    return (TickerChange) update(changeSet, market).change();
  }

  private static TickerState state(ChangeSet changeSet, String market) {
    return (TickerState) update(changeSet, market).state();
  }

  private static ResourceUpdate update(ChangeSet changeSet, String market) {
    return changeSet.updates().stream()
        .filter(update -> update.key().contains("/" + market + "/"))
        .findFirst()
        .orElseThrow();
  }

  private Instant due(String ticker) {
    return source.detection().nextDeadline("ticker", source.known.find("ticker", ticker), source.known,
        source.now);
  }

  /** @param ended whether the list ends with these pages */
  private ChangeSet poll(boolean ended, String... markets) {
    return pages(ended, List.of(markets));
  }

  @SafeVarargs
  private ChangeSet pages(boolean ended, List<String>... pages) {
    source.now = source.now.plusSeconds(10);
    List<Answer<?>> answers = new ArrayList<>();
    for (int page = 1; page <= pages.length; page++) {
      var body = new TickersAnswer("Bitcoin", pages[page - 1].stream().map(TickersTest::ticker).toList());
      answers.add(source.answer(TICKERS.withPage(page), body, source.now));
    }
    return source.snapshot(TICKERS, answers, null, ended);
  }

  private static Observation<Ticker> ticker(String market) {
    Ticker ticker =
        Ticker.newBuilder().setCoin("bitcoin").setMarket(market).setBase("BTC").setTarget("USD").build();
    ticker.setPrice(TickerPrice.newBuilder().setLast(1.0).build());
    return Observation.of(ticker);
  }
}
