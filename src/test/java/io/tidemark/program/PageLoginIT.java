package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.event.Alert;
import io.tidemark.event.AvroSettings;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.access.AccessKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a program that has keys, as `tidemark run` serves it, in a real browser. */
class PageLoginIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String READER = AccessKeys.generate();
  private static final String WRITER = AccessKeys.generate();

  private static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web:
        port: 0
        keys:
          - { name: desk, hash: "${READER}", rights: [read], per-minute: 6000 }
          - { name: ops, hash: "${WRITER}", rights: [read, write], per-minute: 6000 }
      management: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - prefix: ${PREFIX}
          base-url: http://127.0.0.1:1/api/v3
          watch: { global: {} }
      """;

  private static final RunningComponents WEB = new RunningComponents();
  private static Chromium browser;
  private static int port;

  @TempDir
  static Path folder;

  @BeforeAll
  static void openPage() throws Exception {
    browser = Chromium.start(folder.resolve("profile"));
    var prefix = SharedBroker.freshPrefix();
    Map<String, String> environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", prefix,
        "READER", AccessKeys.hash(READER), "WRITER", AccessKeys.hash(WRITER));
    AvroSettings.apply();
    fire(new Topics(prefix, Retention.DEFAULT));
    var settings = Settings.parse("test.yaml", CONFIG, environment::get);
    var application = new Application(settings, folder.resolve("web"), WEB);
    application.start(EnumSet.of(Role.WEB));
    port = application.webPort();
    browser.resize(1440, 900);
  }

  /** An alert, as the streams write it. */
  private static void fire(Topics topics) throws Exception {
    Map<String, Object> client = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
    try (var admin = Admin.create(client)) {
      new TopicSetup(admin, new TopicLayout(2, (short) 1)).ensure(topics.all());
    }
    var alert = Alert.newBuilder().setId("1").setRule("price-moved").setStatus("fired").setFingerprint("1")
        .setSubject("eth_0x1").setSummary("A pool moved").setEventTime(Instant.now().truncatedTo(ChronoUnit.MILLIS))
        .build();
    var value = topics.alerts().serde(new BuiltInRegistry(topics.all())).encode(topics.alerts().name(), alert);
    try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topics.alerts().name(), "1".getBytes(StandardCharsets.UTF_8), value)).get();
    }
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
    WEB.close();
  }

  @BeforeEach
  void logOut() {
    browser.open("http://127.0.0.1:" + port + "/");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main h1')"));
    assertThat(browser.evaluate("fetch('/v1/logout', {method: 'POST'}).then(answer => answer.status)").asInt())
        .isEqualTo(204);
    browser.open("http://127.0.0.1:" + port + "/");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main form input[type=password]')"));
  }

  @Test
  void withoutAKey_nothingIsShown_andTheFormAsksForOne() {
    assertThat(browser.evaluate("location.hash").asText()).startsWith("#/login");
    assertThat(status("/v1/status")).isEqualTo(401);
    assertThat(status("/api/v3/global")).isEqualTo(401);
    assertThat(status("/v1/feeds/alerts")).isEqualTo(401);

    logIn("tidemark_" + "x".repeat(43));

    await().atMost(TIMEOUT).until(() -> browser.evaluate("document.querySelector('main form .bad').textContent")
        .asText().equals("this key is not known"));
    assertThat(status("/v1/status")).isEqualTo(401);
  }

  @Test
  void loginFromAnAddressThatNamesNoView_leadsToTheOverview_orToMyListIfItHasMarks() {
    assertThat(browser.evaluate("location.hash").asText()).isEqualTo("#/login?back=%2Foverview");

    browser.evaluate("location.hash = '#/login'");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main form input[type=password]')"));
    mark("[{kind: 'coin', coin: 'bitcoin', name: 'Bitcoin'}]");
    logIn(READER);

    await().atMost(TIMEOUT).until(() -> browser.evaluate("location.hash").asText().equals("#/mine"));
    mark("[]");
  }

  private static void mark(String items) {
    browser.evaluate("import('/page/storage.js').then(m => m.remember('marked', " + items + "))");
  }

  @Test
  void keyThatMayWrite_silences() {
    logIn(WRITER);
    openAlert();

    silence();

    await().atMost(TIMEOUT).until(() -> outcome().startsWith("Silenced until "));
    await().atMost(TIMEOUT).until(() -> browser
        .evaluate("fetch('/v1/silences').then(answer => answer.json()).then(all => all.map(each => each.who).join())")
        .asText().equals("ops"));
    assertThat(browser.isTrue("document.cookie === ''")).isTrue();
  }

  @Test
  void keyThatOnlyReads_seesTheAlert_andIsToldWhatSilencesNeed() {
    logIn(READER);
    openAlert();

    silence();

    await().atMost(TIMEOUT).until(() -> outcome().startsWith("Silences need a key with the right"));
    assertThat(browser.evaluate("""
        fetch('/v1/silences', {method: 'POST', headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({rule: 'price-moved', for: '1h'})}).then(answer => answer.status)""").asInt())
        .isEqualTo(403);
  }

  @Test
  void loginOrLogoutInOneTab_takesEffectInAllTabs() throws Exception {
    var other = browser.openTab();
    try {
      other.open("http://127.0.0.1:" + port + "/#/alerts");
      await().atMost(TIMEOUT).until(() -> other.isTrue("document.querySelector('main form input[type=password]')"));
      browser.bringToFront();

      logIn(READER);

      await().atMost(TIMEOUT).until(() -> !isAtLogin(browser));
      await().atMost(TIMEOUT).until(() -> other.evaluate("location.hash").asText().equals("#/alerts"));
      await().atMost(TIMEOUT).until(() -> other.isTrue("document.querySelector('main details summary')"));

      browser.evaluate("location.hash = '#/login'");
      await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main p button')"));
      browser.evaluate("document.querySelector('main p button').click()");

      await().atMost(TIMEOUT).until(() -> isAtLogin(other));
      assertThat(other.evaluate("document.getElementById('status-text').textContent").asText())
          .isEqualTo("Not logged in");
    } finally {
      other.closeTab();
    }
  }

  /** A feed that is open stays open after its session ends, so only the next request tells. */
  @Test
  void loginInAnotherTab_takesEffectAlsoWhileTheFeedIsOpen() throws Exception {
    logIn(READER);
    openAlert();
    var other = browser.openTab();
    try {
      other.open("http://127.0.0.1:" + port + "/#/login");
      await().atMost(TIMEOUT).until(() -> other.isTrue("document.querySelector('main p button')"));
      browser.bringToFront();
      assertThat(browser.evaluate("fetch('/v1/logout', {method: 'POST'}).then(answer => answer.status)").asInt())
          .isEqualTo(204);
      silence();
      await().atMost(TIMEOUT).until(() -> isAtLogin(browser));

      logIn(other, READER);

      await().atMost(TIMEOUT).until(() -> browser.evaluate("location.hash").asText().equals("#/alerts"));
    } finally {
      other.closeTab();
    }
  }

  private static boolean isAtLogin(Chromium tab) {
    return tab.evaluate("location.hash").asText().startsWith("#/login");
  }

  private static void logIn(String key) {
    logIn(browser, key);
  }

  private static void logIn(Chromium tab, String key) {
    tab.evaluate("""
        (form => {
          form.querySelector('input').value = '%s';
          form.querySelector('button').click();
        })(document.querySelector('main form'))""".formatted(key));
  }

  private static void openAlert() {
    await().atMost(TIMEOUT).until(() -> !browser.evaluate("location.hash").asText().startsWith("#/login"));
    browser.evaluate("location.hash = '#/alerts'");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main details summary')"));
    browser.evaluate("document.querySelector('main details summary').click()");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main form.silence button')"));
  }

  private static void silence() {
    browser.evaluate("document.querySelector('main form.silence button').click()");
  }

  private static String outcome() {
    return browser.evaluate("document.querySelector('main form.silence [role=status]').textContent").asText();
  }

  private static int status(String path) {
    return browser.evaluate("fetch('" + path + "').then(answer => answer.status)").asInt();
  }
}
