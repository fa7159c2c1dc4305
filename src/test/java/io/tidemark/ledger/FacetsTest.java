package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Appeared;
import io.tidemark.event.Exited;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolLiquidityChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FacetsTest {

  static final PoolPrice ONE = PoolPrice.newBuilder().setBaseTokenPriceUsd("1").build();
  static final PoolPrice TWO = PoolPrice.newBuilder().setBaseTokenPriceUsd("2").build();
  static final PoolLiquidity DEEP = PoolLiquidity.newBuilder().setReserveInUsd("9").build();

  @Test
  void facetThatOnlyTheFrameBrings_isNotNamed() {
    var change = new PoolChange();
    change.setPrice(PoolPriceChange.newBuilder().setBefore(ONE).setAfter(TWO).build());
    change.setLiquidity(PoolLiquidityChange.newBuilder().setBefore(DEEP).setAfter(DEEP).build());

    assertThat(Facets.changed(change)).isEqualTo("price");
  }

  @Test
  void facetNeverSaidBefore_isNamed() {
    var change = new PoolChange();
    change.setLiquidity(PoolLiquidityChange.newBuilder().setAfter(DEEP).build());

    assertThat(Facets.changed(change)).isEqualTo("liquidity");
  }

  @Test
  void newsOfTheResourceItself_isNamed() {
    var change = new PoolChange();
    change.setAppeared(new Appeared());
    change.setVisibility(new Visibility());
    change.setRemoved(new Removed());

    assertThat(Facets.changed(change)).isEqualTo("appeared,sight,left");
  }

  @Test
  void listAsItWas_isNotNamed() {
    assertThat(Facets.changed(ranking(order(Instant.EPOCH)))).isEmpty();
  }

  @Test
  void listThatLostOne_isNamed() {
    var order = order(Instant.EPOCH);
    order.setExited(List.of(new Exited("eth_0xa", 1)));

    assertThat(Facets.changed(ranking(order))).isEqualTo("order");
  }

  @Test
  void emptyListSeenFirst_isNamed() {
    assertThat(Facets.changed(ranking(order(null)))).isEqualTo("order");
  }

  /** Whatever the schemas call a facet: a change of it is recognised. */
  @ParameterizedTest
  @MethodSource
  void everyFacetOfEveryResource_isNamed(ResourceTopics<?, ?> resource) {
    var schema = SpecificData.get().getSchema(resource.changes().value());

    for (var field : schema.getFields()) {
      if (field.schema().isUnion() && part(field).getType() == Schema.Type.RECORD) {
        var change = (SpecificRecord) SpecificData.newInstance(resource.changes().value(), schema);
        change.put(field.pos(), changed(part(field)));
        assertThat(Facets.changed(change)).isEqualTo(field.name());
      }
    }
  }

  static Stream<ResourceTopics<?, ?>> everyFacetOfEveryResource_isNamed() {
    return new Topics("t.", Retention.DEFAULT).resources().stream();
  }

  private static Schema part(Schema.Field field) {
    return field.schema().getTypes().getLast();
  }

  private static Object changed(Schema schema) {
    var part = (SpecificRecord) SpecificData.newInstance(SpecificData.get().getClass(schema), schema);
    var after = schema.getField("after");
    if (after != null) {
      var value = part(after);
      part.put(after.pos(), SpecificData.newInstance(SpecificData.get().getClass(value), value));
    }
    return part;
  }

  private static RankingChange ranking(RankingOrderChange order) {
    var change = new RankingChange();
    change.setOrder(order);
    return change;
  }

  private static RankingOrderChange order(Instant before) {
    return RankingOrderChange.newBuilder().setBeforeObservedAt(before).build();
  }
}
