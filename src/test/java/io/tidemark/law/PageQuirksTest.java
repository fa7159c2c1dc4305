package io.tidemark.law;

import static io.tidemark.law.PoolBodies.TRENDING;
import static io.tidemark.law.PoolBodies.addresses;
import static io.tidemark.law.PoolBodies.ids;
import static io.tidemark.law.PoolBodies.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.tidemark.event.Exited;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingState;
import io.tidemark.event.Rejection;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.law.Upstream.Response;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lists of several pages, which shift or fail between two calls. */
class PageQuirksTest {
  private static final String LIST = "eth/trending/24h";
  private static final Query<?> TICKERS = Endpoints.parseTarget("/coins/bitcoin/tickers");
  private static final Response SERVER_ERROR =
      Response.status(500, "{\"status\":500,\"error\":\"Internal Server Error\"}");

  private final PolledSource source = PolledSource.everything();

  @Test
  void poolThatMovedToTheNextPage_countsOnce_whereItWasFirst() {
    source.poll(TRENDING, page("1", addresses(1, 20)), page("1", addresses(21, 40)));

    List<ReceivedChange> changes = source.poll(TRENDING, page("1", addresses(1, 20)), page("2", "0x20", "0x21"));

    assertThat(changes.stream().filter(changed -> changed.resource().equals("pool")).map(ReceivedChange::key))
        .containsExactly("eth_0x21");
    assertThat(source.memory.known("pool", "eth_0x20", "price")).containsEntry("base_token_price_usd", "1");
    assertThat(source.changeSet.targetState().getRejections()).containsExactly(new Rejection("pool", "duplicate", 1L));
    assertThat(listed()).hasSize(21).doesNotHaveDuplicates().endsWith("eth_0x20", "eth_0x21");
  }

  @Test
  void poolThatFellBetweenTwoPages_exitedTheList_andNothingElse() {
    source.poll(TRENDING, page("1", addresses(1, 20)), page("1", addresses(21, 40)));

    List<ReceivedChange> changes = source.poll(TRENDING, page("1", addresses(1, 20)), page("1", addresses(22, 40)));

    assertThat(changes).extracting(ReceivedChange::resource).containsExactly("ranking");
    RankingChange change = (RankingChange) changes.getFirst().change();
    assertThat(change.getOrder().getExited()).containsExactly(new Exited("eth_0x21", 21));
    assertThat(change.getOrder().getMoved()).isEmpty();
    assertThat(change.getOrder().getEntered()).isEmpty();
  }

  @Test
  void thirdOfFivePagesFails_firstTwoCount_andTheListStays() {
    source.poll(TRENDING, five("1", page("1", addresses(41, 60))));
    var listed = listed();

    List<ReceivedChange> changes = source.poll(TRENDING, five("2", SERVER_ERROR));

    assertThat(source.failure).isInstanceOf(Failure.ServerError.class);
    assertThat(changes).hasSize(40).allSatisfy(changed -> assertThat(changed.facets()).containsExactly("price"));
    assertThat(listed()).isEqualTo(listed);
    assertThat(source.changeSet.members()).isEmpty();
    assertThat(source.changeSet.targetState().getComplete()).isFalse();
    assertThat(source.changeSet.deadLetters()).isEmpty();
    source.memory.assertFoldIsState();
  }

  @Test
  void unreadableThirdPage_otherPagesCount_andItIsADeadLetter() {
    source.poll(TRENDING, five("1", page("1", addresses(41, 60))));
    var listed = listed();

    List<ReceivedChange> changes = source.poll(TRENDING, five("2", Response.of("{\"data\":[{}]}")));

    assertThat(changes).extracting(ReceivedChange::key)
        .containsExactlyElementsOf(
            Stream.concat(ids(addresses(1, 40)).stream(), ids(addresses(61, 100)).stream()).toList());
    assertThat(listed()).isEqualTo(listed);
    assertThat(source.changeSet.deadLetters()).singleElement()
        .satisfies(deadLetter -> assertThat(deadLetter.getPage()).isEqualTo(3));
  }

  @Test
  void listObservedAgainAfterAFailedSnapshot_isAsIfItHadNotFailed() {
    source.poll(TRENDING, five("1", page("1", addresses(41, 60))));
    source.poll(TRENDING, five("2", SERVER_ERROR));

    List<ReceivedChange> changes = source.poll(TRENDING, five("2", page("2", addresses(41, 60))));

    assertThat(changes).extracting(ReceivedChange::key).containsExactlyElementsOf(ids(addresses(41, 100)));
    assertThat(source.poll(TRENDING, five("2", page("2", addresses(41, 60))))).isEmpty();
  }

  @Test
  void tickersOfPagesThatWereNotObserved_areNotRemoved() {
    source.poll(TICKERS, tickers("A", "B"), tickers("C"), tickers("D"));

    List<ReceivedChange> changes = source.poll(TICKERS, tickers("A", "B"), SERVER_ERROR, tickers("D"));

    assertThat(changes).isEmpty();
  }

  @Test
  void tickerMissingOnAllPages_isDelistedByTheSecondSnapshot() {
    source.poll(TICKERS, tickers("A", "B"), tickers("C"));

    List<ReceivedChange> once = source.poll(TICKERS, tickers("A", "B"), tickers("D"));
    List<ReceivedChange> twice = source.poll(TICKERS, tickers("A", "B"), tickers("D"));

    assertThat(once).extracting(ReceivedChange::key).containsExactly("bitcoin/D/BTC/USDT");
    assertThat(twice).extracting(ReceivedChange::key, ReceivedChange::facets)
        .containsExactly(tuple("bitcoin/C/BTC/USDT", Set.of("removed")));
  }

  private Response[] five(String price, Response third) {
    return new Response[] {
      page(price, addresses(1, 20)), page(price, addresses(21, 40)), third, page(price, addresses(61, 80)),
      page(price, addresses(81, 100))
    };
  }

  private List<String> listed() {
    return ((RankingState) source.memory.find("ranking", LIST)).getKnown().getOrder().getEntries();
  }

  private static Response tickers(String... markets) {
    return Response.of(Arrays.stream(markets)
        .map("{\"base\":\"BTC\",\"target\":\"USDT\",\"last\":1,\"market\":{\"identifier\":\"%s\"}}"::formatted)
        .collect(Collectors.joining(",", "{\"tickers\":[", "]}")));
  }
}
