package io.tidemark.notify;

import static io.tidemark.notify.Alerts.NOON;
import static io.tidemark.notify.Alerts.coverageLost;
import static io.tidemark.notify.Alerts.priceMoved;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.event.Alert;
import io.tidemark.event.Secret;
import io.tidemark.notify.NotificationFormat.WebhookRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Requests of each format, compared with bodies written by hand. */
class FormatsTest {

  private static final NotificationLinks EXPLORER =
      NotificationLinks.of(new LinkTemplate("https://example.org/{network}/{address}"));
  private static final String HOSTILE =
      "<script>alert(1)</script> @everyone [x](http://evil.example) `code` \u202Egnp.exe *b*\nsecond line "
          + "x".repeat(10_000);

  static final List<NotificationFormat> CHATS =
      List.of(new TelegramFormat("7", null, EXPLORER), new DiscordFormat(EXPLORER), new SlackFormat(EXPLORER));

  private static WebhookRequest post(NotificationFormat format, Alert alert) {
    return format.request(new Notification.SingleAlert(alert, null), NOON.plusSeconds(5));
  }

  private static JsonNode json(NotificationFormat format, Alert alert) {
    return NotificationJson.read(post(format, alert).body());
  }

  @Test
  void telegram_saysEachThingOnceAndLinksChartAndExplorer() {
    JsonNode body = json(new TelegramFormat("-100", null, NotificationLinks.DEFAULT), pumped());

    assertThat(body.path("chat_id").asText()).isEqualTo("-100");
    assertThat(body.path("parse_mode").asText()).isEqualTo("HTML");
    assertThat(body.path("link_preview_options").path("is_disabled").asBoolean()).isTrue();
    assertThat(body.path("text").asText()).isEqualTo("""
        <b>[warning] price-move</b>
        <code>PEPE / WETH on eth moved +25.0 % within 10 minutes to $0.000106; reserve $1.23M</code>
        <code>dex: uniswap_v3</code>
        <a href="https://dexscreener.com/ethereum/0xa">chart</a> \
        · <a href="https://etherscan.io/address/0xa">explorer</a>""");
  }

  @Test
  void telegram_postsToATopicOfTheChat() {
    assertThat(json(new TelegramFormat("-100", 42, NotificationLinks.NONE), pumped()).path("message_thread_id").asInt())
        .isEqualTo(42);
    assertThat(json(new TelegramFormat("-100", null, NotificationLinks.NONE), pumped()).has("message_thread_id"))
        .isFalse();
  }

  /** Those of ntfy and Teams, with a name that tries to leave its text. */
  @Test
  void templatesOfThePage_areJsonWhateverTheNameIs() throws IOException {
    var page = Files.readString(Path.of(System.getProperty("basedir", "."), "docs/using/receivers.md"));
    var bodies = Stream.of(page.split("```json template\n")).skip(1)
        .map(block -> new TemplateFormat("application/json", block.substring(0, block.indexOf("```")), EXPLORER))
        .toList();
    var hostile = pumped();
    hostile.setSummary("\"}], {{json}} " + HOSTILE);

    assertThat(bodies).hasSize(3);
    var ntfy = json(bodies.get(1), hostile);
    assertThat(ntfy.path("message").asText()).startsWith("\"}], ").contains("dex: uniswap_v3");
    assertThat(ntfy.path("title").asText()).isEqualTo("[warning] price-move");
    assertThat(ntfy.path("click").asText()).isEqualTo("https://example.org/eth/0xa");
    var card = json(bodies.get(2), hostile).at("/attachments/0/content");
    assertThat(card.path("type").asText()).isEqualTo("AdaptiveCard");
    assertThat(card.at("/body/1/inlines/0/text").asText()).startsWith("\"}], ");
  }

  @Test
  void discord_saysEachThingOnceMentionsNobodyAndPreviewsNothing() {
    JsonNode body = json(new DiscordFormat(NotificationLinks.DEFAULT), pumped());

    assertThat(body.path("allowed_mentions").path("parse")).isEmpty();
    assertThat(body.path("flags").asInt()).isEqualTo(4);
    assertThat(body.path("content").asText()).isEqualTo("""
        **\\[warning\\] price-move**
        `PEPE / WETH on eth moved +25.0 % within 10 minutes to $0.000106; reserve $1.23M`
        `dex: uniswap_v3`
        [chart](<https://dexscreener.com/ethereum/0xa>) · [explorer](<https://etherscan.io/address/0xa>)""");
  }

  @Test
  void slack_saysEachThingOnceAndUnfurlsNothing() {
    JsonNode body = json(new SlackFormat(NotificationLinks.DEFAULT), pumped());

    assertThat(body.path("unfurl_links").asBoolean(true)).isFalse();
    assertThat(body.path("unfurl_media").asBoolean(true)).isFalse();
    assertThat(body.path("text").asText()).isEqualTo("""
        *[warning] price-move*
        `PEPE / WETH on eth moved +25.0 % within 10 minutes to $0.000106; reserve $1.23M`
        `dex: uniswap_v3`
        <https://dexscreener.com/ethereum/0xa|chart> · <https://etherscan.io/address/0xa|explorer>""");
  }

  @Test
  void resolved_saysTheEndValueAndTheDuration() {
    assertThat(json(new SlackFormat(NotificationLinks.DEFAULT), offPeg("firing")).path("text").asText()).isEqualTo("""
        *[critical] depeg*
        `dai is at $0.985, -1.5 % off its peg: $0.984 on Kraken, $0.986 on Binance`""");
    assertThat(json(new SlackFormat(NotificationLinks.DEFAULT), offPeg("resolved")).path("text").asText()).isEqualTo("""
        *[resolved] depeg after 34 min*
        `dai is at $0.9991, -0.1 % off its peg: $0.9989 on Kraken, $0.9994 on Binance`""");
  }

  @Test
  void resolvedWithoutAnEndValue_saysWhy() {
    Alert alert = offPeg("resolved");
    alert.setEndSummary(null);
    alert.setReason("no data");

    assertThat(json(new SlackFormat(NotificationLinks.DEFAULT), alert).path("text").asText()).isEqualTo("""
        *[resolved] depeg after 34 min*
        `dai is at $0.985, -1.5 % off its peg: $0.984 on Kraken, $0.986 on Binance`
        `resolved because: no data`""");
  }

  @Test
  void lateAlert_saysWhenItHappened() {
    Notification notification = new Notification.SingleAlert(pumped(), null);

    assertThat(new SlackFormat(NotificationLinks.NONE).request(notification, NOON.plusSeconds(600)).body())
        .contains("`at: 2026-11-21 12:00 UTC`", "`about: eth_0xa`");
  }

  @Test
  void pagerDutyAndAlertmanager_haveTheSameLinesAndLinks() {
    NotificationFormat pagerDuty =
        new PagerDutyFormat(new Secret("R0"), NotificationLinks.DEFAULT);
    JsonNode incident = json(pagerDuty, pumped());
    JsonNode alert = json(new AlertmanagerFormat(NotificationLinks.DEFAULT), pumped()).path(0);

    assertThat(incident.path("payload").path("summary").asText()).isEqualTo("[warning] price-move: PEPE / WETH on eth"
        + " moved +25.0 % within 10 minutes to $0.000106; reserve $1.23M");
    assertThat(incident.path("links").path(0).path("href").asText())
        .isEqualTo("https://dexscreener.com/ethereum/0xa");
    assertThat(incident.path("links").path(1).path("text").asText()).isEqualTo("explorer");
    assertThat(alert.path("annotations").path("explorer").asText()).isEqualTo("https://etherscan.io/address/0xa");
    assertThat(alert.path("generatorURL").asText()).isEqualTo("https://dexscreener.com/ethereum/0xa");
    assertThat(json(new AlertmanagerFormat(NotificationLinks.DEFAULT), offPeg("resolved")).path(0)
        .path("annotations").path("end_summary").asText()).startsWith("dai is at $0.9991");
  }

  @Test
  void partOfAWord_doesNotShowTheNetwork() {
    assertThat(json(new SlackFormat(NotificationLinks.NONE), priceMoved("1", "DAI / WETH lost half of its liquidity"))
        .path("text").asText()).contains("`network: eth`");
    assertThat(json(new SlackFormat(NotificationLinks.NONE), priceMoved("1", "DAI / WETH (ETH) lost half"))
        .path("text").asText()).doesNotContain("network: ");
  }

  @Test
  void plain_hasAllFieldsOfTheRecord() {
    Alert alert = offPeg("resolved");
    alert.setSilenced("mf3k1v9x");
    alert.setAfterGap(true);
    alert.getEvidence().getFirst().setGeneration(NOON);
    alert.getEvidence().getFirst().setRevision(7L);
    JsonNode data = json(new PlainFormat(List.of(), NotificationLinks.NONE), alert).path("data");

    assertThat(data.fieldNames()).toIterable().containsExactlyElementsOf(fields(alert));
    assertThat(data.path("evidence").path(0).fieldNames()).toIterable()
        .containsExactlyElementsOf(fields(alert.getEvidence().getFirst()));
    assertThat(data.path("silenced").asText()).isEqualTo("mf3k1v9x");
    assertThat(data.path("after_gap").asBoolean()).isTrue();
  }

  private static List<String> fields(SpecificRecord record) {
    return record.getSchema().getFields().stream().map(Schema.Field::name).toList();
  }

  @Test
  void plainResolved_hasTheEnd() {
    JsonNode data = json(new PlainFormat(List.of(), NotificationLinks.DEFAULT), offPeg("resolved")).path("data");

    assertThat(data.path("end_summary").asText()).startsWith("dai is at $0.9991");
    assertThat(data.path("reason").asText()).isEqualTo("over");
    assertThat(data.path("ended_at").asText()).isEqualTo("2026-11-21T12:34:00Z");
    assertThat(json(new PlainFormat(List.of(), NotificationLinks.DEFAULT), pumped()).path("data").path("links")
        .path("chart").asText()).isEqualTo("https://dexscreener.com/ethereum/0xa");
  }

  private static Alert pumped() {
    Alert alert =
        priceMoved("1", "PEPE / WETH on eth moved +25.0 % within 10 minutes to $0.000106; reserve $1.23M");
    alert.setLabels(Map.of("network", "eth", "dex", "uniswap_v3"));
    return alert;
  }

  private static Alert offPeg(String status) {
    Alert alert = coverageLost(status);
    alert.setRule("depeg");
    alert.setSeverity("critical");
    alert.setSubject("dai");
    alert.setLabels(Map.of("coin", "dai"));
    alert.setSummary("dai is at $0.985, -1.5 % off its peg: $0.984 on Kraken, $0.986 on Binance");
    if (status.equals("resolved")) {
      alert.setReason("over");
      alert.setEndedAt(NOON.plusSeconds(34 * 60));
      alert.setEventTime(NOON.plusSeconds(34 * 60));
      alert.setEndSummary("dai is at $0.9991, -0.1 % off its peg: $0.9989 on Kraken, $0.9994 on Binance");
    }
    return alert;
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
        .map(bytes -> PlainFormat.signingKey("whsec_" + Base64.getEncoder().encodeToString(bytes)))
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
    NotificationFormat format = new PlainFormat(List.of(), NotificationLinks.NONE);
    Alert resolved = coverageLost("resolved");
    resolved.setId(coverageLost("firing").getId());

    assertThat(post(format, resolved).headers().get("webhook-id"))
        .isNotEqualTo(post(format, coverageLost("firing")).headers().get("webhook-id"))
        .isEqualTo(
            format.request(new Notification.SingleAlert(resolved, null), NOON.plusSeconds(600)).headers()
                .get("webhook-id"));
  }

  @Test
  void shortSecret_isRejectedWithoutBeingPrinted() {
    assertThatThrownBy(() -> PlainFormat.signingKey("whsec_c2hvcnQ="))
        .hasMessageContaining("24 bytes")
        .hasMessageNotContaining("c2hvcnQ");
  }

  @Test
  void pagerDuty_resolvesTheIncidentItOpened() {
    NotificationFormat format = new PagerDutyFormat(new Secret("R0"), NotificationLinks.NONE);
    JsonNode firing = json(format, coverageLost("firing"));
    JsonNode resolved = json(format, coverageLost("resolved"));

    assertThat(firing.path("event_action").asText()).isEqualTo("trigger");
    assertThat(resolved.path("event_action").asText()).isEqualTo("resolve");
    assertThat(firing.path("dedup_key")).isEqualTo(resolved.path("dedup_key"));
    assertThat(firing.path("payload").path("severity").asText()).isEqualTo("warning");
    assertThat(firing.path("routing_key").asText()).isEqualTo("R0");
  }

  /** A resolved event with a payload that is refused would leave the incident open. */
  @Test
  void pagerDuty_resolvesWithNothingThatCouldBeRefused() {
    NotificationFormat format = new PagerDutyFormat(new Secret("R0"), NotificationLinks.DEFAULT);

    assertThat(json(format, offPeg("resolved")).fieldNames()).toIterable()
        .containsExactly("routing_key", "event_action", "dedup_key");
  }

  /** An event has no end: the incident of the first would swallow all that follow. */
  @Test
  void pagerDuty_opensAnIncidentForEachEvent() {
    NotificationFormat format = new PagerDutyFormat(new Secret("R0"), NotificationLinks.NONE);

    assertThat(json(format, priceMoved("price-move/f00d/1")).path("dedup_key"))
        .isNotEqualTo(json(format, priceMoved("price-move/f00d/2")).path("dedup_key"));
    assertThat(json(format, priceMoved("price-move/f00d/1")).path("dedup_key").asText()).isEqualTo("price-move/f00d/1");
  }

  static final List<String> NAMES =
      List.of("24h", "runbook-url", "a.b", "größe", "with space", "", "__x", "9", "{{x}}", "$", "日本");

  /** Alertmanager answers 400 to other names than {@code [a-zA-Z_][a-zA-Z0-9_]*}. */
  @ParameterizedTest
  @FieldSource("NAMES")
  void alertmanager_getsNamesThatItAccepts(String name) {
    Alert alert = pumped();
    alert.setLabels(Map.of(name, "label"));
    alert.setAnnotations(Map.of(name, "annotation"));
    JsonNode body = json(new AlertmanagerFormat(NotificationLinks.DEFAULT), alert).path(0);

    assertThat(Stream.of("labels", "annotations").flatMap(each -> body.path(each).propertyStream()))
        .extracting(Map.Entry::getKey)
        .allMatch(each -> each.matches("[a-zA-Z_][a-zA-Z0-9_]*"));
    assertThat(body.path("labels")).extracting(JsonNode::asText).contains("label");
    assertThat(body.path("annotations")).extracting(JsonNode::asText).contains("annotation");
  }

  @Test
  void template_hasLabelsWithDashes() {
    Alert alert = pumped();
    alert.setLabels(Map.of("runbook-url", "r", "24h", "d"));

    assertThat(
        post(new TemplateFormat("text/plain", "{{labels.runbook-url}} {{labels.24h}}", NotificationLinks.NONE), alert)
            .body())
        .isEqualTo("r d");
  }

  @Test
  void eventsOfOneResource_areAlertsOfTheirOwnInAlertmanager() {
    var format = new AlertmanagerFormat(EXPLORER);

    assertThat(json(format, priceMoved("1")).path(0).path("labels").path("id").asText()).isEqualTo("1");
    assertThat(json(format, priceMoved("1")).path(0).path("labels"))
        .isNotEqualTo(json(format, priceMoved("2")).path(0).path("labels"));
    assertThat(json(format, coverageLost("firing")).path(0).path("labels").has("id")).isFalse();
  }

  @Test
  void form_isEncoded_soThatANameAddsNoParameter() {
    var format = new TemplateFormat("application/x-www-form-urlencoded", "message={{summary}}", EXPLORER);

    assertThat(post(format, priceMoved("1", "A&priority=2 +5 %")).body())
        .isEqualTo("message=A%26priority%3D2+%2B5+%25");
  }

  @Test
  void alertmanager_getsStartAndEnd() {
    JsonNode resolved = resolvedAt(NOON.plusSeconds(120));

    assertThat(resolved.path("labels").path("alertname").asText()).isEqualTo("coverage-lost");
    assertThat(resolved.path("startsAt").asText()).isEqualTo("2026-11-21T12:00:00Z");
    assertThat(resolved.path("endsAt").asText()).isEqualTo("2026-11-21T12:01:00Z");
  }

  /** Alertmanager goes on firing for an end that its clock has not reached, and refuses one before the start. */
  @Test
  void alertmanager_getsAnEndThatIsAMinuteAgo_butNotBeforeTheStart() {
    assertThat(resolvedAt(NOON.plusSeconds(119)).path("endsAt").asText()).isEqualTo("2026-11-21T12:00:59Z");
    assertThat(resolvedAt(NOON.plusSeconds(61)).path("endsAt").asText()).isEqualTo("2026-11-21T12:00:01Z");
    assertThat(resolvedAt(NOON.plusSeconds(5)).path("endsAt").asText()).isEqualTo("2026-11-21T12:00:00Z");
  }

  /** @param now time of the delivery of an alert that lasted from noon to a minute past noon */
  private static JsonNode resolvedAt(Instant now) {
    var notification = new Notification.SingleAlert(coverageLost("resolved"), null);
    return NotificationJson.read(new AlertmanagerFormat(EXPLORER).request(notification, now).body()).path(0);
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
    PendingDigest pending = new PendingDigest("x", NOON, alert -> true, alert -> false);
    pending.add(priceMoved("1"), true);
    Notification digest = pending.close();

    assertThat(NotificationJson
        .read(format.request(new Notification.SingleAlert(priceMoved("1"), null), NOON.plusSeconds(3600)).body())
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
    assertThatThrownBy(() -> new TemplateFormat("text/plain", "{{summery}}", NotificationLinks.NONE))
        .hasMessageContaining("{{summery}}")
        .hasMessageContaining("summary");
  }

  @Test
  void digestOfTwoDays_saysBoth() {
    PendingDigest digest = new PendingDigest("x", NOON, alert -> true, alert -> false);
    digest.add(pumped(), false);
    Alert late = pumped();
    late.setEventTime(NOON.plus(Duration.ofHours(46)));
    digest.add(late, false);

    assertThat(NotificationContent.of(digest.close(), NotificationLinks.NONE, NOON).summary())
        .isEqualTo("2026-11-21 12:00 UTC to 2026-11-23 10:00 UTC");
  }

  @Test
  void digest_countsByRuleAndListsTheWorst() {
    PendingDigest digest = new PendingDigest("x", NOON, alert -> true, alert -> false);
    digest.add(priceMoved("1"), false);
    digest.add(pumped(), true);
    digest.add(offPeg("resolved"), false);
    JsonNode body = NotificationJson.read(new TelegramFormat("7", null, NotificationLinks.DEFAULT)
        .request(digest.close(), NOON).body());

    assertThat(body.path("text").asText()).isEqualTo("""
        <b>[critical] 3 alerts</b>
        <code>2026-11-21 12:00 UTC to 12:34 UTC, 1 of them late</code>
        <code>depeg resolved: 1 critical</code>
        <code>price-move: 2 warning</code>
        <code>depeg resolved: dai is at $0.9991, -0.1 % off its peg: $0.9989 on Kraken, $0.9994 on Binance</code>
        <code>price-move: PEPE / WETH up 25 %</code>
        <code>price-move: PEPE / WETH on eth moved +25.0 % within 10 minutes to $0.000106; reserve $1.23M</code>""");
  }
}
