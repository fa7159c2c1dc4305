package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** A path finds what its names find, in records and in maps. */
class AttributePathTest {
  private static final Schema POOL = Pool.getClassSchema();

  @Test
  void value_isThatAtTheNames_andNullWhereAStepIsMissing() {
    var pool = new Pool();
    var path = AttributePath.of(POOL, "activity.volume_usd.h24");

    assertThat(path.in(pool)).isNull();
    assertThat(path.in(null)).isNull();

    pool.setActivity(new PoolActivity());
    assertThat(path.in(pool)).isNull();

    var windows = new Windows();
    windows.setH24("12.5");
    pool.getActivity().setVolumeUsd(windows);
    assertThat(path.in(pool)).isEqualTo("12.5");
  }

  @Test
  void pathThatIsNotInTheSchema_findsNothing() {
    var pool = new Pool();
    pool.setId("eth_0x1");

    assertThat(AttributePath.of(POOL, "id").in(pool)).isEqualTo("eth_0x1");
    assertThat(AttributePath.of(POOL, "price.none").in(pool)).isNull();
  }
}
