package io.tidemark.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.notify.LinkTemplate;
import io.tidemark.notify.NotificationLimit;
import io.tidemark.notify.NotificationLinks;
import io.tidemark.notify.Receiver;
import io.tidemark.notify.SlackFormat;
import io.tidemark.notify.TelegramFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReceiverReaderTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("HOOK", "https://example.org/t0ps3cret");

  private static Receiver read(String receiver) {
    var text = """
        sources: [ { base-url: https://example.org/api/v3, watch: { global: {} } } ]
        receivers: [ %s ]
        """.formatted(receiver);
    return Settings.parse("t.yaml", text, ENVIRONMENT::get).receivers().getFirst();
  }

  @Test
  void fullReceiver_isRead() {
    var receiver = read("{ name: tg, format: telegram, chat: '-1', url: '${HOOK}', at-most: 15 per minute,"
        + " match: { rules: [new-pool], severity: warning, networks: [solana] } }");

    assertThat(receiver.name()).isEqualTo("tg");
    assertThat(receiver.limit()).isEqualTo(NotificationLimit.parse("15 per minute"));
    assertThat(receiver.match().rules()).containsExactly("new-pool");
    assertThat(receiver.match().labels().get("network")).containsExactly("solana");
    assertThat(receiver.toString()).doesNotContain("t0ps3cret");
  }

  @Test
  void links_areThoseOfTheProgramWithTheChangesOfTheConfiguration() {
    var receiver = read("{ name: x, format: slack, url: '${HOOK}' } ]\nlinks: { chart: { eth: none,"
        + " default: 'https://charts.example.org/{network}' }, explorer: { mychain: 'https://scan.example.org/{address}' }"
        + " }\nweb: { port: 8080 }\ntopics: { partitions: 3 } #");

    var links = ((SlackFormat) receiver.format()).links().templates();
    assertThat(links.get("chart")).containsEntry("eth", LinkTemplate.NONE)
        .containsEntry("default", new LinkTemplate("https://charts.example.org/{network}"))
        .containsEntry("solana", new LinkTemplate("https://dexscreener.com/solana/{address}"));
    assertThat(links.get("explorer"))
        .containsEntry("mychain", new LinkTemplate("https://scan.example.org/{address}"))
        .containsEntry("eth", new LinkTemplate("https://etherscan.io/address/{address}"));
  }

  @Test
  void linkOfAReceiver_replacesAllOthers() {
    var own = read("{ name: x, format: slack, url: '${HOOK}', link: 'https://example.org/{id}' }");
    var none = read("{ name: x, format: slack, url: '${HOOK}', link: none }");

    assertThat(((SlackFormat) own.format()).links())
        .isEqualTo(NotificationLinks.of(new LinkTemplate("https://example.org/{id}")));
    assertThat(((SlackFormat) none.format()).links()).isEqualTo(NotificationLinks.of(LinkTemplate.NONE));
  }

  @Test
  void linkWithoutAHost_isRejectedWithItsPlace() {
    assertThatThrownBy(
        () -> read("{ name: x, format: slack, url: '${HOOK}' } ]\nlinks: { chart: { eth: 'eth/{address}' } } #"))
        .hasMessageContaining("links.chart.eth")
        .hasMessageContaining("host");
  }

  @Test
  void addressInTheFileItself_isRejected() {
    assertThatThrownBy(() -> read("{ name: x, format: slack, url: https://example.org/t0ps3cret }"))
        .hasMessageContaining("url-file")
        .hasMessageNotContaining("t0ps3cret");
  }

  @Test
  void unknownFormat_isRejectedWithTheNearest() {
    assertThatThrownBy(() -> read("{ name: x, format: telegramm, url: '${HOOK}' }"))
        .hasMessageContaining("receivers[0].format")
        .hasMessageContaining("telegram");
  }

  @Test
  void threadOfAChat_isAWholeNumber() {
    var receiver = read("{ name: x, format: telegram, chat: '-1', thread: 42, url: '${HOOK}' }");

    assertThat(((TelegramFormat) receiver.format()).thread()).isEqualTo(42);
    assertThatThrownBy(() -> read("{ name: x, format: telegram, chat: '-1', thread: news, url: '${HOOK}' }"))
        .hasMessageContaining("receivers[0].thread: 'news' is not a whole number");
  }

  @Test
  void matchThatNoAlertFits_isRejected() {
    assertThatThrownBy(() -> read("{ name: x, format: slack, url: '${HOOK}', match: { networks: [] } }"))
        .hasMessageContaining("receivers[0].match.networks: is empty, so it would match no alert");
    assertThatThrownBy(() -> read("{ name: x, format: slack, url: '${HOOK}',"
        + " match: { networks: [eth], labels: { network: [base] } } }"))
        .hasMessageContaining("receivers[0].match.networks: is the label 'network', which 'labels' has too");
    assertThat(read("{ name: x, format: slack, url: '${HOOK}', match: { rules: [] } }").match().rules())
        .as("all rules").isEmpty();
  }

  @Test
  void missingChat_isNamed() {
    assertThatThrownBy(() -> read("{ name: x, format: telegram, url: '${HOOK}' }"))
        .hasMessageContaining("receivers[0].chat")
        .hasMessageContaining("missing");
  }

  @Test
  void invalidSecret_isRejectedWithoutBeingShown() {
    assertThatThrownBy(() -> read("{ name: x, format: plain, url: '${HOOK}', secrets: ['${HOOK}'] }"))
        .hasMessageContaining("secrets")
        .hasMessageContaining("base64")
        .hasMessageNotContaining("t0ps3cret");
  }
}
