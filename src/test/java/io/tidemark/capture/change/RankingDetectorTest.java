package io.tidemark.capture.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Exited;
import io.tidemark.event.Moved;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingOrderChange;
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
