package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stream.alert.AlertSettings;
import io.tidemark.stream.alert.PriceMove;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TidemarkTopologyTest {

  /** When the shape changes on purpose, the file is changed by hand: renamed stores begin empty. */
  @Test
  void shape_isTheOneOnFile() throws IOException {
    assertThat(describe(AlertSettings.DEFAULT).strip()).isEqualToNormalizingNewlines(onFile().strip());
  }

  @Test
  void ruleThatIsOff_isLeftOut() {
    var off = new PriceMove.Settings(
        false,
        PriceMove.Settings.DEFAULT.floors(),
        PriceMove.Settings.DEFAULT.percent(),
        PriceMove.Settings.DEFAULT.within(),
        PriceMove.Settings.DEFAULT.cooldown());
    var settings =
        new AlertSettings(AlertSettings.DEFAULT.newPool(), AlertSettings.DEFAULT.newlyTrending(), off);

    assertThat(describe(settings)).contains("new-pool", "newly-trending").doesNotContain("price-move");
  }

  private static String describe(AlertSettings settings) {
    return TidemarkTopology.build(TopologyRun.TOPICS, TopologyRun.REGISTRY, settings).describe().toString();
  }

  private static String onFile() throws IOException {
    try (var file = TidemarkTopologyTest.class.getResourceAsStream("topology.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
