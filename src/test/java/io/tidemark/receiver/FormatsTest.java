package io.tidemark.receiver;

import static io.tidemark.receiver.Alerts.NOON;
import static io.tidemark.receiver.Alerts.coverageLost;
import static io.tidemark.receiver.Alerts.priceMoved;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.event.Alert;
import io.tidemark.receiver.NotificationFormat.WebhookRequest;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Requests of each format, compared with bodies written by hand. */
class FormatsTest {

  private static final LinkTemplate EXPLORER = new LinkTemplate("https://example.org/{network}/{address}");
  private static final String HOSTILE =
      "<script>alert(1)</script> @everyone [x](http://evil.example) `code` \u202Egnp.exe *b*\nsecond line "
          + "x".repeat(10_000);

  static final List<NotificationFormat> CHATS =
      List.of(new TelegramFormat("7", EXPLORER), new DiscordFormat(EXPLORER), new SlackFormat(EXPLORER));

  private static WebhookRequest post(NotificationFormat format, Alert alert) {
    return format.request(new Notification.SingleAlert(alert), NOON.plusSeconds(5));
  }

  private static JsonNode json(NotificationFormat format, Alert alert) {
    return NotificationJson.read(post(format, alert).body());
  }

  @Test
  void telegram_hasTitleSummaryFactsAndLink() {
    JsonNode body = json(new TelegramFormat("-100", EXPLORER), priceMoved("1"));

    assertThat(body.path("chat_id").asText()).isEqualTo("-100");
    assertThat(body.path("parse_mode").asText()).isEqualTo("HTML");
    assertThat(body.path("link_preview_options").path("is_disabled").asBoolean()).isTrue();
    assertThat(body.path("text").asText()).isEqualTo("""
        <b>[warning] price-move fired</b>
        <code>PEPE / WETH up 25 %</code>
        <code>network: eth</code>
        <code>price.base_token_price_usd: 1.0 -&gt; 1.25</code>
        <code>about: eth_0xa</code>
        <code>observed: 2026-11-21T12:00:00Z, published 4 s later</code>
        <a href="https://example.org/eth/0xa">open</a>""");
  }

  @Test
  void discord_mentionsNobodyAndPreviewsNothing() {
    JsonNode body = json(new DiscordFormat(EXPLORER), priceMoved("1"));

    assertThat(body.path("allowed_mentions").path("parse")).isEmpty();
    assertThat(body.path("flags").asInt()).isEqualTo(4);
    assertThat(body.path("content").asText())
        .startsWith("**\\[warning\\] price-move fired**\n`PEPE / WETH up 25 %`")
        .endsWith("<https://example.org/eth/0xa>");
  }

  @Test
  void slack_unfurlsNothing() {
    JsonNode body = json(new SlackFormat(EXPLORER), priceMoved("1"));

    assertThat(body.path("unfurl_links").asBoolean(true)).isFalse();
    assertThat(body.path("text").asText())
        .startsWith("*[warning] price-move fired*\n`PEPE / WETH up 25 %`")
        .endsWith("<https://example.org/eth/0xa|open>");
  }

  @ParameterizedTest
  @FieldSource("CHATS")
  void hostileName_isOneBoundedLineWithoutMarkup(NotificationFormat chat) {
    JsonNode body = json(chat, priceMoved("1", HOSTILE));
    String text = body.path("text").asText(body.path("content").asText());

    assertThat(text).hasSizeLessThan(2000).doesNotContain("\u202E", "\nsecond");
    String summary = text.lines().toList().get(1);
    String inside = summary.replaceAll("^(<code>|`)|(</code>|`)$", "");
    assertThat(inside).contains("@everyone").doesNotContain(chat instanceof DiscordFormat ? "`" : "<");
    assertThat(chat instanceof TelegramFormat || !inside.contains("`")).isTrue();
  }

  @Test
  void plain_isSignedWithEverySecret() throws Exception {
    byte[] old = "0123456789012345678901234".getBytes(UTF_8);
    byte[] young = "9876543210987654321098765".getBytes(UTF_8);
    var secrets = Stream.of(old, young)
        .map(bytes -> PlainFormat.SigningKey.of("whsec_" + Base64.getEncoder().encodeToString(bytes)))
        .toList();
    WebhookRequest post = post(new PlainFormat(secrets, EXPLORER), priceMoved("price-move/f00d/1"));

    assertThat(post.headers())
        .containsEntry("webhook-id", "price-move/f00d/1/fired")
        .containsEntry("webhook-timestamp", "1795262405")
        .containsEntry("webhook-signature", "v1," + signed(old, post) + " v1," + signed(young, post));
    JsonNode body = NotificationJson.read(post.body());
    assertThat(body.path("type").asText()).isEqualTo("alert");
    assertThat(body.path("data").path("id").asText()).isEqualTo("price-move/f00d/1");
    assertThat(body.path("timestamp").asText()).isEqualTo("2026-11-21T12:00:04Z");
    assertThat(body.path("data").path("evidence").path(0).path("values").path("price.base_token_price_usd").asText())
        .isEqualTo("1.25");
  }

  private static String signed(byte[] secret, WebhookRequest post) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    byte[] text = ("price-move/f00d/1/fired.1795262405." + post.body()).getBytes(UTF_8);
    return Base64.getEncoder().encodeToString(mac.doFinal(text));
  }

  @Test
  void firingAndResolved_haveDifferentNotificationIds() {
    NotificationFormat format = new PlainFormat(List.of(), LinkTemplate.NONE);
    Alert resolved = coverageLost("resolved");
    resolved.setId(coverageLost("firing").getId());

    assertThat(post(format, resolved).headers().get("webhook-id"))
        .isNotEqualTo(post(format, coverageLost("firing")).headers().get("webhook-id"))
        .isEqualTo(
            format.request(new Notification.SingleAlert(resolved), NOON.plusSeconds(600)).headers().get("webhook-id"));
  }

  @Test
  void shortSecret_isRejectedWithoutBeingPrinted() {
    assertThatThrownBy(() -> PlainFormat.SigningKey.of("whsec_c2hvcnQ="))
        .hasMessageContaining("24 bytes")
        .hasMessageNotContaining("c2hvcnQ");
  }

  @Test
  void pagerDuty_resolvesTheIncidentItOpened() {
    NotificationFormat format = new PagerDutyFormat(new PagerDutyFormat.RoutingKey("R0"), LinkTemplate.NONE);
    JsonNode firing = json(format, coverageLost("firing"));
    JsonNode resolved = json(format, coverageLost("resolved"));

    assertThat(firing.path("event_action").asText()).isEqualTo("trigger");
    assertThat(resolved.path("event_action").asText()).isEqualTo("resolve");
    assertThat(firing.path("dedup_key")).isEqualTo(resolved.path("dedup_key"));
    assertThat(firing.path("payload").path("severity").asText()).isEqualTo("warning");
    assertThat(firing.path("routing_key").asText()).isEqualTo("R0");
  }

  @Test
  void alertmanager_getsStartAndEnd() {
    JsonNode resolved = json(new AlertmanagerFormat(EXPLORER), coverageLost("resolved")).path(0);

    assertThat(resolved.path("labels").path("alertname").asText()).isEqualTo("coverage-lost");
    assertThat(resolved.path("startsAt").asText()).isEqualTo("2026-11-21T12:00:00Z");
    assertThat(resolved.path("endsAt").asText()).isEqualTo("2026-11-21T12:01:00Z");
  }

  @Test
  void alertmanager_keepsAFiringConditionOpen() {
    JsonNode firing = json(new AlertmanagerFormat(EXPLORER), coverageLost("firing")).path(0);

    assertThat(firing.path("startsAt").asText()).isEqualTo("2026-11-21T12:00:00Z");
    assertThat(firing.path("endsAt").asText()).isEqualTo("2026-11-28T12:00:05Z");
  }

  @Test
  void alertmanager_showsAnEventForAWhile_howeverLateItIsDelivered() {
    NotificationFormat format = new AlertmanagerFormat(EXPLORER);
    PendingDigest pending = new PendingDigest("digest/x", NOON, alert -> true);
    pending.add(priceMoved("1"), true);
    Notification digest = pending.close();

    assertThat(NotificationJson
        .read(format.request(new Notification.SingleAlert(priceMoved("1")), NOON.plusSeconds(3600)).body())
        .path(0).path("endsAt").asText()).isEqualTo("2026-11-21T13:15:00Z");
    assertThat(NotificationJson.read(format.request(digest, NOON.plusSeconds(3600)).body())
        .path(0).path("endsAt").asText()).isEqualTo("2026-11-21T13:15:00Z");
  }

  @Test
  void jsonTemplate_escapesValues() {
    NotificationFormat format = new TemplateFormat("application/json",
        "{\"say\": \"{{summary}}\", \"net\": \"{{labels.network}}\", \"id\": \"{{id}}\"}", EXPLORER);
    JsonNode body = json(format, priceMoved("1", "a \"quoted\" name"));

    assertThat(body.path("say").asText()).isEqualTo("a \"quoted\" name");
    assertThat(body.path("net").asText()).isEqualTo("eth");
    assertThat(body.path("id").asText()).isEqualTo("1");
  }

  @Test
  void templateWithAnUnknownName_isRejectedWithTheKnownNames() {
    assertThatThrownBy(() -> new TemplateFormat("text/plain", "{{summery}}", LinkTemplate.NONE))
        .hasMessageContaining("{{summery}}")
        .hasMessageContaining("summary");
  }

  @Test
  void digest_countsByRuleAndListsTheWorst() {
    PendingDigest digest = new PendingDigest("digest/x", NOON, alert -> true);
    digest.add(priceMoved("1"), false);
    digest.add(priceMoved("2"), true);
    digest.add(coverageLost("firing"), false);
    JsonNode body = NotificationJson.read(new TelegramFormat("7", LinkTemplate.NONE)
        .request(digest.close(), NOON).body());

    assertThat(body.path("text").asText())
        .startsWith("<b>[warning] 3 alerts digest</b>")
        .contains("1 of them late", "price-move fired: 2 times, warning", "coverage-lost firing: 1 times, warning");
  }
}
