package io.tidemark.capture.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Entered;
import io.tidemark.event.Exited;
import io.tidemark.event.Moved;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Observation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankingDetectorTest {
  @Test
  void mereShift_isNoMove() {
    var change = new RankingDiff(List.of("a", "b", "c"), List.of("x", "a", "b", "c"));
    assertThat(change.entered()).containsExactly("x");
    assertThat(change.moved()).isEmpty();
  }

  @Test
  void oneOvertakesAll_isOneMove() {
    var change = new RankingDiff(List.of("a", "b", "c"), List.of("c", "a", "b"));
    assertThat(change.moved()).containsExactly(new Moved("c", 1, 3));
  }

  @Test
  void exited_namesTheRankBefore() {
    assertThat(new RankingDiff(List.of("a", "b"), List.of("a")).exited()).containsExactly(new Exited("b", 2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void firstList_isAChange_withoutATimeBefore(int pools) {
    ManualSource source = new ManualSource(PublishSettings.EVERYTHING);
    Observation<?>[] listed =
        Stream.generate(() -> ManualSource.priced("1.0")).limit(pools).toArray(Observation[]::new);

    RankingOrderChange order = order(source.list(ManualSource.TRENDING, listed));

    assertThat(order.getBeforeObservedAt()).isNull();
    assertThat(ResourceKind.RANKING.facet("order").isChanged(order)).isTrue();
  }

  /** The caches of two pages of a list are filled at different times. */
  @Test
  void listWatchedWithAnOlderPageMore_isNotOlder() {
    ManualSource source = new ManualSource(PublishSettings.EVERYTHING);
    source.list(ManualSource.TRENDING, pool("eth_0xa"));

    ChangeSet more = pages(source, pool("eth_0xb"), pool("eth_0xc"));
    ChangeSet next = pages(source, pool("eth_0xc"), pool("eth_0xa"));

    assertThat(order(more).getEntered()).extracting(Entered::getPool).containsExactly("eth_0xb", "eth_0xc");
    assertThat(order(next).getExited()).extracting(Exited::getPool).containsExactly("eth_0xb");
    assertThat(more.targetState().getRejections()).isEmpty();
    assertThat(next.targetState().getRejections()).isEmpty();
  }

  private static ChangeSet pages(ManualSource source, Observation<Pool> first, Observation<Pool> second) {
    source.now = source.now.plusSeconds(10);
    var page = new OnChainAnswer<>(List.of(first), null);
    var older = new OnChainAnswer<>(List.of(second), null);
    return source.snapshot(ManualSource.TRENDING, List.of(
        source.answer(ManualSource.TRENDING, page, source.now),
        source.answer(ManualSource.TRENDING.withPage(2), older, source.now.minusSeconds(40))), null);
  }

  private static Observation<Pool> pool(String id) {
    return Observation.of(ManualSource.pool(id, "1.0"));
  }

  private static RankingOrderChange order(ChangeSet changeSet) {
    return changeSet.updates().stream()
        .map(ChangeSet.ResourceUpdate::change)
        .filter(RankingChange.class::isInstance)
        .map(change -> ((RankingChange) change).getOrder())
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void foldOfAnyChange_givesTheListAfter(long seed) {
    Random random = new Random(seed);
    List<String> list = List.of();
    for (int step = 0; step < 300; step++) {
      List<String> after = shuffled(random);
      RankingOrderChange change =
          RankingDiff.orderChange(order(list), order(after), pool -> new PoolAbout(), true, false, null);
      assertThat(fold(list, change)).as("seed %d step %d", seed, step).isEqualTo(after);
      list = after;
    }
  }

  private static RankingOrder order(List<String> entries) {
    return RankingOrder.newBuilder().setEntries(entries).setRevisions(List.of()).build();
  }

  private static List<String> shuffled(Random random) {
    List<String> pools = new ArrayList<>(IntStream.range(0, 12).mapToObj(i -> "p" + i).toList());
    Collections.shuffle(pools, random);
    return List.copyOf(pools.subList(0, random.nextInt(13)));
  }

  /** The fold as the documentation of the schema describes it. */
  private static List<String> fold(List<String> before, RankingOrderChange change) {
    List<String> others = new ArrayList<>(before);
    change.getExited().forEach(each -> others.remove(each.getPool()));
    change.getMoved().forEach(each -> others.remove(each.getPool()));
    TreeMap<Integer, String> placed = new TreeMap<>();
    change.getEntered().forEach(each -> placed.put(each.getRank(), each.getPool()));
    change.getMoved().forEach(each -> placed.put(each.getRank(), each.getPool()));
    placed.forEach((rank, pool) -> others.add(rank - 1, pool));
    return others;
  }
}
