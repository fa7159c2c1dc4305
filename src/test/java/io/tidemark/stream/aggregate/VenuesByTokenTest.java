package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static io.tidemark.stream.aggregate.Origins.second;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolDescriptionChange;
import io.tidemark.event.Removed;
import io.tidemark.event.TokenVenue;
import io.tidemark.event.TokenVenues;
import io.tidemark.event.Visibility;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class VenuesByTokenTest {

  private final AggregateRun<TokenVenues> run = new AggregateRun<>(new VenuesByToken());

  @Test
  void poolsOfAToken_areCompared() {
    described("eth_0xp1", "eth_0xa", 2.0, 5_000.0);
    described("eth_0xp2", "eth_0xa", 2.1, 9_000.0);
    described("eth_0xp3", "eth_0xa", 2.05, 1_000.0);
    described("eth_0xp4", "eth_0xb", 7.0, 9_000.0);
    run.until(minute(1));

    assertThat(run.published()).singleElement().satisfies(venues -> {
      assertThat(venues.getToken()).isEqualTo("eth_0xa");
      assertThat(venues.getNetwork()).isEqualTo("eth");
      assertThat(venues.getSymbol()).isEqualTo("of eth_0xp2");
      assertThat(venues.getAt()).isEqualTo(minute(1));
      assertThat(venues.getPools()).isEqualTo(3);
      assertThat(venues.getCheapest().getId()).isEqualTo("eth_0xp1");
      assertThat(venues.getDearest().getId()).isEqualTo("eth_0xp2");
      assertThat(venues.getDearest().getDex()).isEqualTo("uniswap_v3");
      assertThat(venues.getSpreadPercent()).isCloseTo(5.0, within(1e-9));
      assertThat(venues.getReserveUsd()).isEqualTo(15_000.0);
      assertThat(venues.getDeepest()).extracting(TokenVenue::getId)
          .containsExactly("eth_0xp2", "eth_0xp1", "eth_0xp3");
    });
  }

  @Test
  void tenPoolsWithTheLargestReserves_areListed_howeverOddThePricesOfOthers() {
    described("eth_0xodd", "eth_0xa", 900.0, 1_000.0);
    for (var i = 10; i < 22; i++) {
      described("eth_0xp" + i, "eth_0xa", 2.0, 10_000.0 + i - i % 2);
    }
    run.until(minute(1));

    assertThat(run.stored("eth_0xa").getDearest().getId()).isEqualTo("eth_0xodd");
    assertThat(run.stored("eth_0xa").getDeepest()).extracting(TokenVenue::getId)
        .containsExactly("eth_0xp20", "eth_0xp21", "eth_0xp18", "eth_0xp19", "eth_0xp16", "eth_0xp17", "eth_0xp14",
            "eth_0xp15", "eth_0xp12", "eth_0xp13");
  }

  @Test
  void smallPoolsAndPoolsWithoutAPrice_areNotCompared() {
    described("eth_0xp1", "eth_0xa", 2.0, 5_000.0);
    described("eth_0xp2", "eth_0xa", 9.0, 999.0);
    described("eth_0xp3", "eth_0xa", 9.0, null);
    described("eth_0xp4", "eth_0xa", null, 5_000.0);
    described("eth_0xp5", "eth_0xa", 0.0, 5_000.0);
    described("eth_0xp6", null, 9.0, 5_000.0);
    run.until(minute(1));

    assertThat(run.published()).isEmpty();
    assertThat(run.removedGroups()).isEmpty();
  }

  @Test
  void secondPoolThatIsNotVisible_endsTheComparison_untilItIsVisibleAgain() {
    described("eth_0xp1", "eth_0xa", 2.0, 5_000.0);
    described("eth_0xp2", "eth_0xa", 2.2, 9_000.0);
    run.until(minute(1));
    var hidden = pool("eth_0xp2", 2.2, 9_000.0, minute(2));
    hidden.setVisibility(new Visibility(false, second(10)));
    run.change("eth_0xp2", hidden, minute(2));
    run.published();
    run.until(minute(3));
    assertThat(run.removedGroups()).containsExactly("eth_0xa");

    var back = pool("eth_0xp2", 2.3, 9_000.0, minute(4));
    back.setVisibility(new Visibility(true, minute(4)));
    run.change("eth_0xp2", back, minute(4));
    run.restart();
    run.until(minute(5));

    assertThat(run.published()).singleElement()
        .satisfies(venues -> assertThat(venues.getSpreadPercent()).isCloseTo(15.0, within(1e-9)));
  }

  @Test
  void poolWithAnotherBaseToken_changesItsGroup_andASmallOneLeavesIt() {
    described("eth_0xp1", "eth_0xa", 2.0, 5_000.0);
    described("eth_0xp2", "eth_0xa", 2.2, 9_000.0);
    described("eth_0xp3", "eth_0xb", 3.0, 9_000.0);
    run.until(minute(1));
    run.published();
    described("eth_0xp2", "eth_0xb", 2.2, 9_000.0, minute(2));
    run.until(minute(3));
    assertThat(run.stored("eth_0xa")).isNull();
    assertThat(run.stored("eth_0xb").getPools()).isEqualTo(2);

    run.out();
    run.change("eth_0xp2", pool("eth_0xp2", 2.2, 999.0, minute(4)), minute(4));
    run.until(minute(5));
    assertThat(run.removedGroups()).containsExactly("eth_0xb");
    run.change("eth_0xp3", pool("eth_0xp3", 3.1, 9_000.0, minute(6)), minute(6));
    run.until(minute(7));
    assertThat(run.removedGroups()).as("a second tombstone").isEmpty();
  }

  @Test
  void equalPrices_areOfTwoPools_andExtremeFiguresAreNull() {
    described("eth_0xp1", "eth_0xa", 2.0, 5_000.0);
    described("eth_0xp2", "eth_0xa", 2.0, 9_000.0);
    described("eth_0xp3", "eth_0xb", 1e-300, 1e308);
    described("eth_0xp4", "eth_0xb", 1e300, 1e308);
    run.until(minute(1));

    assertThat(run.stored("eth_0xa").getCheapest().getId()).isEqualTo("eth_0xp1");
    assertThat(run.stored("eth_0xa").getDearest().getId()).isEqualTo("eth_0xp2");
    assertThat(run.stored("eth_0xa").getSpreadPercent()).isZero();
    assertThat(run.stored("eth_0xb").getSpreadPercent()).isNull();
    assertThat(run.stored("eth_0xb").getReserveUsd()).isNull();
  }

  @Test
  void removedPools_leaveNothing() {
    described("eth_0xp1", "eth_0xa", 2.0, 5_000.0);
    described("eth_0xp2", "eth_0xa", 2.1, 5_000.0);
    run.until(minute(1));
    assertThat(run.published()).hasSize(1);
    for (var id : new String[] {"eth_0xp1", "eth_0xp2"}) {
      var removed = pool(id, 2.0, 5_000.0, minute(2));
      removed.setRemoved(new Removed("delisted"));
      run.change(id, removed, minute(2));
    }
    run.until(minute(3));

    assertThat(run.removedGroups()).containsExactly("eth_0xa");
    assertThat(run.stored("eth_0xa")).isNull();
  }

  private void described(String id, String token, Double price, Double reserve) {
    described(id, token, price, reserve, second(10));
  }

  private void described(String id, String token, Double price, Double reserve, Instant at) {
    var change = pool(id, price, reserve, at);
    change.setDescription(PoolDescriptionChange.newBuilder()
        .setAfter(PoolDescription.newBuilder().setBaseToken(token).build())
        .build());
    run.change(id, change, at);
  }

  private static PoolChange pool(String id, Double price, Double reserve, Instant at) {
    var about = PoolAbout.newBuilder()
        .setDex("uniswap_v3").setBaseSymbol("of " + id).setPriceUsd(price).setReserveUsd(reserve).build();
    return PoolChange.newBuilder().setId(id).setNetwork("eth").setOrigin(Origins.at(at)).setAbout(about).build();
  }
}
