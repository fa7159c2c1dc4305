package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChangeViewTest {
  static {
    AvroSettings.apply();
  }

  static final PoolPrice ONE = PoolPrice.newBuilder().setBaseTokenPriceUsd("1").build();
  static final PoolPrice TWO = PoolPrice.newBuilder().setBaseTokenPriceUsd("2").build();
  static final PoolLiquidity DEEP = PoolLiquidity.newBuilder().setReserveInUsd("9").build();

  @Test
  void facetThatOnlyAKeyFrameCarries_isNotNamed() {
    var change = new PoolChange();
    change.setPrice(PoolPriceChange.newBuilder().setBefore(ONE).setAfter(TWO).build());
    change.setLiquidity(PoolLiquidityChange.newBuilder().setBefore(DEEP).setAfter(DEEP).build());

    assertThat(facetsHeader(change)).isEqualTo("price");
  }

  @Test
  void facetNeverPublishedBefore_isNamed() {
    var change = new PoolChange();
    change.setLiquidity(PoolLiquidityChange.newBuilder().setAfter(DEEP).build());

    assertThat(facetsHeader(change)).isEqualTo("liquidity");
  }

  @Test
  void appearanceVisibilityAndRemoval_areNamed() {
    var change = new PoolChange();
    change.setAppeared(new Appeared());
    change.setVisibility(new Visibility());
    change.setRemoved(new Removed());

    assertThat(facetsHeader(change)).isEqualTo("appeared,visibility,removed");
  }

  @Test
  void listAsItWas_isNotNamed() {
    assertThat(facetsHeader(ranking(order(Instant.EPOCH)))).isEmpty();
  }

  @Test
  void listThatLostOne_isNamed() {
    var order = order(Instant.EPOCH);
    order.setExited(List.of(new Exited("eth_0xa", 1)));

    assertThat(facetsHeader(ranking(order))).isEqualTo("order");
  }

  @Test
  void emptyListObservedFirst_isNamed() {
    assertThat(facetsHeader(ranking(order(null)))).isEqualTo("order");
  }

  /** Whatever the schemas call a facet: a change of it is recognised. */
  @ParameterizedTest
  @MethodSource
  void everyFacetOfEveryResource_isNamed(ChangeView view) {
    for (var field : view.schema().getFields()) {
      if (field.schema().isUnion() && part(field).getType() == Schema.Type.RECORD) {
        var change = AvroRecords.blank(view.schema());
        change.put(field.pos(), changed(part(field)));
        assertThat(facetsHeader(change)).isEqualTo(field.name());
      }
    }
  }

  static Stream<Named<ChangeView>> everyFacetOfEveryResource_isNamed() {
    return ChangeView.ofResources().stream().map(view -> Named.of(view.resource(), view));
  }

  @Test
  void recordThatIsNoChange_hasItsSharedFieldsAndNoFacets() {
    var view = ChangeView.of(PoolListing.class);
    var listing = PoolListing.newBuilder().setRevision(7).build();

    assertThat(view.isChange()).isFalse();
    assertThat(view.facets()).isEmpty();
    assertThat(view.revision(listing)).isEqualTo(7);
    assertThat(view.appeared(listing)).isNull();
  }

  @Test
  void facetsChange_hasTheFiguresDerivedOfItsValues() {
    var price = ChangeView.ofResource("pool").facet("price");

    var change = (PoolPriceChange) price.change(ONE, TWO, Instant.EPOCH);

    assertThat(change.getMovePercent()).isEqualTo(100.0);
    assertThat(change.getBeforeObservedAt()).isEqualTo(Instant.EPOCH);
    assertThat(price.derived()).extracting(FacetView.DerivedFigure::name).containsExactly("move_percent");
    assertThat(price.unchanged(TWO)).isEqualTo(PoolPriceChange.newBuilder().setBefore(TWO).setAfter(TWO).build());
  }

  @Test
  void identity_isWhatIsInNoFacet() {
    var pool = Pool.newBuilder().setId("eth_0xa").setNetwork("eth").setAddress("0xa");

    var identity = ChangeView.ofResource("pool").identityOf(pool.setPrice(ONE).build());

    assertThat(identity).isEqualTo(pool.setPrice(null).build());
  }

  private static String facetsHeader(SpecificRecord change) {
    return String.join(",", ChangeView.of(change).changed(change));
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
