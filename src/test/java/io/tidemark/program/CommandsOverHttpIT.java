package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.Role;
import io.tidemark.event.Alert;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.simulator.Scenario;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Rules and watched targets that programs and the page change over HTTP, in one program over a simulated market. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CommandsOverHttpIT {

  static final Duration TIMEOUT = Duration.ofSeconds(100);
  static final HttpClient HTTP = HttpClient.newHttpClient();
  static final ObjectMapper JSON = new ObjectMapper();
  static final String READER = AccessKeys.generate();
  static final String WRITER = AccessKeys.generate();
  static final String OPS = AccessKeys.generate();
  static final String TRENDING = "/networks/solana/trending_pools?duration=1h";

  static final String NEW_POOLS = "/networks/solana/new_pools?include=base_token,dex,quote_token";

  static final String SOURCE = """
      refresh: { new_pools: 1s, trending_pools: 1s }
      watch: { networks: { solana: { new-pools: {} } } }
      """;

  static final String MOVED = """
      rules:
        - name: any-price
          on: pool.changes
          when: changed.price
          annotations: { summary: "{{ about.name }} moved" }
      """;

  static SimulatedPage page;

  @TempDir
  static Path folder;

  @BeforeAll
  static void start() throws Exception {
    page = new SimulatedPage(folder, Scenario.CALM, SOURCE, String.join(", ", key("desk", READER, AccessRight.READ),
        key("writer", WRITER, AccessRight.WRITE), key("ops", OPS, AccessRight.CONFIGURE)));
    page.startCapture(Role.POLL, Role.STREAM);
    page.startWeb();
  }

  private static String key(String name, String key, AccessRight right) {
    return new AccessKey(name, AccessKeys.hash(key), Set.of(right), 6000).configuration();
  }

  @AfterAll
  static void close() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  @Order(1)
  void appliedFile_isInForce_firesAlerts_andIsDropped() throws Exception {
    await().atMost(TIMEOUT).until(() -> json(send("GET", "/v1/rules", "", READER)).path("version").asLong() > 0);
    var checked = json(send("PUT", "/v1/rules/mine.yaml?dry-run", MOVED, OPS));

    var applied = send("PUT", "/v1/rules/mine.yaml", MOVED, OPS);

    assertThat(checked.path("warnings")).isEmpty();
    assertThat(checked.path("in_force").asBoolean()).isFalse();
    assertThat(applied.statusCode()).as(applied.body()).isIn(200, 202);
    assertThat(json(applied).path("file").asText()).isEqualTo("mine");
    assertThat(json(applied).path("in_force").asBoolean()).isEqualTo(applied.statusCode() == 200);
    if (applied.statusCode() == 202) {
      await().atMost(TIMEOUT).until(() -> rule(json(send("GET", "/v1/rules", "", READER)), "any-price").isObject());
    }
    assertThat(send("GET", "/v1/rules/mine", "", READER).body()).isEqualTo(MOVED);
    var listed = json(send("GET", "/v1/rules", "", READER));
    assertThat(listed.path("files")).singleElement().satisfies(file -> {
      assertThat(file.path("who").asText()).isEqualTo("ops");
      assertThat(file.path("rules").toString()).isEqualTo("[\"any-price\"]");
      assertThat(file.path("at").asText()).startsWith("20");
    });
    assertThat(rule(listed, "any-price").path("file").asText()).isEqualTo("mine");
    await().atMost(TIMEOUT).until(() -> firedRules().contains("any-price"));

    var dropped = send("DELETE", "/v1/rules/mine", "", OPS);

    assertThat(dropped.statusCode()).as(dropped.body()).isIn(200, 202);
    if (dropped.statusCode() == 202) {
      await().atMost(TIMEOUT)
          .until(() -> rule(json(send("GET", "/v1/rules", "", READER)), "any-price").isMissingNode());
    }
    assertThat(rule(json(send("GET", "/v1/rules", "", READER)), "any-price").isMissingNode()).isTrue();
    assertThat(send("DELETE", "/v1/rules/mine", "", OPS).statusCode()).isEqualTo(404);
  }

  @Test
  @Order(2)
  void invalidRules_areRefusedWithLineAndColumn() throws Exception {
    var answer = send("PUT", "/v1/rules/wrong", MOVED.replace("changed.price", "changed.prise"), OPS);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(json(answer).path("problems")).singleElement().satisfies(problem -> {
      assertThat(problem.at("/position/file").asText()).isEqualTo("wrong");
      assertThat(problem.at("/position/line").asInt()).isEqualTo(4);
      assertThat(problem.at("/position/column").asInt()).isEqualTo(11);
      assertThat(problem.path("text").asText()).contains("price");
    });
    assertThat(json(answer).path("error").asText()).startsWith("wrong:4:11: ");
    assertThat(error(send("PUT", "/v1/rules/a%20b", MOVED, OPS), 400)).contains("1 to 100 letters");
    assertThat(send("PUT", "/v1/rules/large", "#".repeat(500_001), OPS).statusCode()).isEqualTo(413);
    var unseen = MOVED.replace("changed.price", "changed.lock");
    assertThat(error(send("PUT", "/v1/rules/mine?dry_run", MOVED, OPS), 400)).endsWith("source, dry-run");
    assertThat(error(send("PUT", "/v1/rules/mine?dry-run=yes", MOVED, OPS), 400)).contains("dry-run: must be true or");
    assertThat(error(send("GET", "/v1/silences?Source=main", "", READER), 400)).endsWith("source");
    assertThat(json(send("PUT", "/v1/rules/unseen?dry-run", unseen, OPS)).path("warnings")).singleElement()
        .asString().contains("any-price: gets no data, because no watched target shows lock");
  }

  @Test
  @Order(2)
  void keyWithoutTheRight_isRefused() throws Exception {
    assertThat(error(send("PUT", "/v1/rules/mine", MOVED, WRITER), 403)).endsWith("has no right to configure");
    assertThat(error(send("DELETE", "/v1/rules/mine", "", READER), 403)).endsWith("has no right to configure");
    assertThat(error(send("PUT", "/v1/watch" + TRENDING, "", WRITER), 403)).endsWith("has no right to configure");
  }

  @Test
  @Order(2)
  void addedTarget_isPolled_untilItIsRemoved() throws Exception {
    var added = send("PUT", "/v1/watch" + TRENDING + "&weight=2&for=6h", "", OPS);

    assertThat(added.statusCode()).as(added.body()).isEqualTo(200);
    assertThat(json(added).path("target").asText()).startsWith("/networks/solana/trending_pools?");
    assertThat(watched()).as("its own write").anyMatch(row -> row.path("added_by").asText().equals("ops"));
    await().atMost(TIMEOUT).until(() -> watched().stream().anyMatch(row -> row.path("added_by").asText().equals("ops")
        && row.path("weight").asDouble() == 2 && row.hasNonNull("until") && row.hasNonNull("observed_at")));
    assertThat(error(send("PUT", "/v1/watch/" + TRENDING.replace("/", "%2F"), "", OPS), 409))
        .contains("is watched already");
    assertThat(error(send("PUT", "/v1/watch/networks/solana/pool", "", OPS), 400)).contains("cannot be watched");
    assertThat(error(send("PUT", "/v1/watch" + TRENDING + "&for=soon", "", OPS), 400)).contains("a duration such as");
    assertThat(error(send("PUT", "/v1/watch" + TRENDING + "&weigth=10", "", OPS), 400))
        .contains("unknown parameter 'weigth'", "also takes 'pages', 'weight' and 'for'");
    assertThat(error(send("PUT", "/v1/watch/coins/tether/tickers?dex_pair_format=symbol", "", OPS), 400))
        .contains("leave out dex_pair_format");
    assertThat(error(send("PUT", "/v1/watch/networks/eth/tokens/0xab?include_composition=true", "", OPS), 400))
        .contains("add include=top_pools");
    assertThat(error(send("DELETE", "/v1/watch/networks/eth/new_pools", "", OPS), 404)).contains("is not watched");
    assertThat(error(send("DELETE", "/v1/watch" + NEW_POOLS, "", OPS), 409)).contains("watched by the configuration");

    assertThat(send("DELETE", "/v1/watch" + TRENDING, "", OPS).statusCode()).isEqualTo(200);
    assertThat(watched()).noneMatch(row -> row.path("added_by").asText().equals("ops"));
  }

  @Test
  @Order(3)
  void poolOfThePage_isWatched_andGetsAPriceAlert() throws Exception {
    var browser = page.browser();
    browser.resize(1440, 900);
    browser.open(page.address() + "/#/login");
    logIn(browser, OPS);
    browser.evaluate("location.hash = '#/new'");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main a[href^=\"#/pool/\"]')"));
    browser.evaluate("document.querySelector('main a[href^=\"#/pool/\"]').click()");
    click(browser, "Add to the watch list");
    await().atMost(TIMEOUT).until(() -> watched().stream().anyMatch(row -> row.path("added_by").asText().equals("ops")
        && row.path("target").asText().startsWith("/networks/solana/pools/")));

    openAlertForm(browser);
    click(browser, "Apply this rule");

    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main details [role=status]')"
        + "?.textContent.startsWith('In force as price-above-1000000-solana-')"));
    assertThat(json(send("GET", "/v1/rules", "", READER)).path("files")).singleElement()
        .satisfies(file -> assertThat(file.path("file").asText()).startsWith("price-above-1000000-solana-"));

    setLevel(browser, 2_000_000);
    assertThat(browser.isTrue("document.querySelector('main details [role=status]').textContent === ''")).isTrue();

    browser.evaluate("fetch('/v1/logout', {method: 'POST'}).then(() => null)");
    var pool = browser.evaluate("location.href").asText();
    browser.open("about:blank"); // to open the same address again would be no navigation
    browser.open(pool);
    logIn(browser, READER);
    openAlertForm(browser);
    assertThat(browser.isTrue("document.querySelector('main details pre.rule').textContent.startsWith('rules:')"))
        .isTrue();
    await().atMost(TIMEOUT).until(() -> browser.isTrue(
        "document.querySelector('main details').textContent.includes('tidemark rules apply FILE')"));
    assertThat(browser.isTrue("[...document.querySelectorAll('main button')]"
        + ".some(each => /Apply this rule|Add to the watch list/.test(each.textContent))")).isFalse();
  }

  private static void openAlertForm(Chromium browser) {
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main details.card input')"));
    browser.evaluate("document.querySelector('main details.card').open = true");
    setLevel(browser, 1_000_000);
  }

  private static void setLevel(Chromium browser, int level) {
    browser.evaluate("""
        (input => {
          input.value = '%d';
          input.dispatchEvent(new Event('input'));
        })(document.querySelector('main details.card input'))""".formatted(level));
  }

  private static void logIn(Chromium browser, String key) {
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main form input[type=password]')"));
    browser.evaluate("""
        (form => {
          form.querySelector('input').value = '%s';
          form.querySelector('button').click();
        })(document.querySelector('main form'))""".formatted(key));
    await().atMost(TIMEOUT).until(() -> !browser.evaluate("location.hash").asText().startsWith("#/login"));
  }

  private static void click(Chromium browser, String title) {
    var button = "[...document.querySelectorAll('main button')].find(each => each.textContent === '" + title + "')";
    await().atMost(TIMEOUT).until(() -> browser.isTrue(button + " !== undefined"));
    browser.evaluate(button + ".click()");
  }

  private static List<JsonNode> watched() throws Exception {
    return json(send("GET", "/v1/watch", "", READER)).valueStream().toList();
  }

  private static JsonNode rule(JsonNode listed, String name) {
    return listed.path("rules").valueStream().filter(each -> each.path("name").asText().equals(name)).findFirst()
        .orElse(JSON.missingNode());
  }

  private static Set<String> firedRules() {
    var rules = new HashSet<String>();
    var topics = page.topics();
    try (var reader = new TopicReader(Map.of("bootstrap.servers", SharedBroker.bootstrapServers()),
        List.of(topics.alerts()), new BuiltInRegistry(topics.all()))) {
      reader.readAll(record -> rules.add(((Alert) record.value()).getRule()));
    }
    return rules;
  }

  private static String error(HttpResponse<String> answer, int status) throws Exception {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    return json(answer).path("error").asText();
  }

  private static HttpResponse<String> send(String method, String path, String body, String key) throws Exception {
    return HTTP.send(HttpRequest.newBuilder(URI.create(page.address() + path))
        .header("Authorization", "Bearer " + key).method(method, BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return JSON.readTree(answer.body());
  }
}
