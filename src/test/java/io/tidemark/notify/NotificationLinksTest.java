package io.tidemark.notify;

import static io.tidemark.notify.Alerts.priceMoved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NotificationLinksTest {

  @Test
  void poolOfAKnownNetwork_hasAChartAndAnExplorer() {
    assertThat(NotificationLinks.DEFAULT.of(on("solana", "58oQ")))
        .isEqualTo(
            Map.of("chart", "https://dexscreener.com/solana/58oQ", "explorer", "https://solscan.io/account/58oQ"));
    assertThat(NotificationLinks.DEFAULT.of(on("polygon_pos", "0xa")))
        .containsEntry("chart", "https://dexscreener.com/polygon/0xa");
  }

  @Test
  void everyKnownNetwork_hasBoth() {
    NotificationLinks.DEFAULT.templates().get("chart").keySet()
        .forEach(network -> assertThat(NotificationLinks.DEFAULT.of(on(network, "0xa"))).hasSize(2));
  }

  @Test
  void unknownNetwork_hasNoLinkUntilItIsGivenOne() {
    var links = NotificationLinks.DEFAULT
        .with("explorer", Map.of("mychain", new LinkTemplate("https://scan.example.org/{address}")))
        .with("chart", Map.of("default", new LinkTemplate("https://charts.example.org/{network}/{address}")));

    assertThat(NotificationLinks.DEFAULT.of(on("mychain", "0xa"))).isEmpty();
    assertThat(links.of(on("mychain", "0xa"))).isEqualTo(Map.of(
        "chart", "https://charts.example.org/mychain/0xa", "explorer", "https://scan.example.org/0xa"));
    assertThat(links.of(on("eth", "0xa"))).containsEntry("chart", "https://dexscreener.com/ethereum/0xa");
  }

  @Test
  void emptyTemplate_removesTheLinkOfANetwork() {
    var links = NotificationLinks.DEFAULT.with("chart", Map.of("eth", LinkTemplate.NONE));

    assertThat(links.of(on("eth", "0xa"))).containsOnlyKeys("explorer");
  }

  @Test
  void hostileAddress_isEncoded() {
    assertThat(NotificationLinks.DEFAULT.of(on("eth", "0xa\">[x](javascript:1)|<b>")).get("explorer"))
        .isEqualTo("https://etherscan.io/address/0xa%22%3E%5Bx%5D%28javascript%3A1%29%7C%3Cb%3E");
  }

  @Test
  void alertAboutNoNetwork_hasNone() {
    Alert alert = priceMoved("1");
    alert.setSubject("dai");
    alert.setLabels(Map.of("coin", "dai"));

    assertThat(NotificationLinks.DEFAULT.of(alert)).isEmpty();
  }

  private static Alert on(String network, String address) {
    Alert alert = priceMoved("1");
    alert.setSubject(network + "_" + address);
    alert.setLabels(Map.of("network", network));
    return alert;
  }
}
