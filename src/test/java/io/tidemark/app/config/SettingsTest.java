package io.tidemark.app.config;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.tidemark.app.config.Settings.ListenerSettings;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.Secret;
import io.tidemark.http.server.ReloadedTls.TlsFiles;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import io.tidemark.yaml.YamlException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  static final String FILE = "/etc/tidemark.yaml";
  static final String KEY = "CG-0123456789";
  static final Map<String, String> WITH_KEY = Map.of("API_KEY", KEY);

  static final String MINIMAL = """
      sources:
        - base-url: https://example.org/api/v3
          watch: { global: {} }
      """;

  static final String FULL =
      """
          kafka:
            bootstrap-servers: kafka-1:9092,kafka-2:9092
            open-transaction-wait: 2m
            properties: { security.protocol: SSL }
          registry: { url: http://localhost:8081/apis/ccompat/v7, user: me, password: "${API_KEY}" }
          topics: { partitions: 12, replication: 3, cluster-prefix: staging-, retention: { changes: 7d, candles: 365d, alerts: 90d } }
          sources:
            - name: main
              prefix: market.
              base-url: https://example.org/api/v3
              keys: [ { key: "${API_KEY}", per-minute: 500, per-month: 500000 } ]
              key-header: x-cg-pro-api-key
              refresh: { pool: 10s, trending_pools: 30s }
              events: material
              emit: { pool.price: { band: 0.1%, every: 5s }, holding.position: { band: 2 } }
              evict-after: 10d
              on-chain-path: /onchain
              share: 0.5
              spent: 100
              billing-day: 15
              max-age: 10m
              max-round: 6h
              watch:
                networks:
                  eth:
                    new-pools: { pages: 3 }
                    trending: { durations: [5m, 1h], pages: 2 }
                    dexes: { uniswap_v3: { sort: h24_volume_usd_desc, pages: 1 } }
                    tokens: { "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2": { top-pools: true, pools: { pages: 1 } } }
                    pools: { "0x88e6": { composition: true, volume-breakdown: true, weight: 10 } }
                searches: [ { query: pepe, network: eth } ]
                global: {}
                coins: { bitcoin: { history: { days: 30 }, tickers: { depth: true, pages: 1 } } }
                derivatives: { binance_futures: { tickers: unexpired } }
                treasuries: { strategy: { holding-amount-change: [7d, 30d], holding-change-percentage: [30d] } }
                platforms: { filter: nft }
                follow: [ { entering: trending, where: 'about.reserve_usd > 50000.0', for: 6h, most: 50 } ]
          rules: { shipped: all, set: {}, files: [] }
          receivers: []
          web: { address: 127.0.0.1, port: 8080, max-connections: 50, max-connections-per-address: 20, keys: [],
                 anonymous-per-minute: 70 }
          management: { address: 127.0.0.1, port: 9090 }
          stream: { threads: 3 }
          local-store: /var/lib/tidemark
          """;

  @TempDir
  Path folder;

  @Test
  void fullFile_isRead() {
    var settings = parse(FULL, WITH_KEY);

    assertThat(settings.kafka().bootstrapServers()).isEqualTo("kafka-1:9092,kafka-2:9092");
    assertThat(settings.kafka().properties()).containsEntry("security.protocol", "SSL");
    assertThat(settings.kafka().openTransactionWait()).isEqualTo(Duration.ofMinutes(2));
    assertThat(settings.registry().password()).isEqualTo(new Secret(KEY));
    assertThat(settings.topics().layout().partitions()).isEqualTo(12);
    assertThat(settings.topics().ofCluster().sources().name()).isEqualTo("staging-tidemark-sources");
    assertThat(settings.topics().retention().changes()).isEqualTo(Duration.ofDays(7));
    assertThat(settings.topics().retention().candles()).isEqualTo(Duration.ofDays(365));
    assertThat(settings.localStore()).isEqualTo(Path.of("/var/lib/tidemark"));
    assertThat(settings.web().maxConnections()).isEqualTo(50);
    assertThat(settings.web().maxPerAddress()).isEqualTo(20);
    assertThat(settings.access().anonymousPerMinute()).isEqualTo(70);
    assertThat(settings.streamThreads()).isEqualTo(3);
    var source = settings.sources().getFirst();
    assertThat(source.client().key(0).value()).isEqualTo(KEY);
    assertThat(source.client().keyHeader()).isEqualTo("x-cg-pro-api-key");
    assertThat(source.limits().perMinute()).isEqualTo(500);
    assertThat(source.limits().billingDay()).isEqualTo(15);
    assertThat(source.evictAfter()).isEqualTo(Duration.ofDays(10));
    assertThat(source.additions().follow()).singleElement().satisfies(rule -> {
      assertThat(rule.keep()).isEqualTo(Duration.ofHours(6));
      assertThat(rule.most()).isEqualTo(50);
    });
    assertThat(source.publishing().thresholds()).containsOnly(
        Map.entry("pool.price", new PublishSettings.Threshold(0.1, 0, Duration.ofSeconds(5))),
        Map.entry("holding.position", new PublishSettings.Threshold(0, 2, Duration.ZERO)));
  }

  @Test
  void fullWatchList_becomesTargetsNamedByTheirCanonicalPath() {
    var watch = parse(FULL, WITH_KEY).sources().getFirst().watch();

    assertThat(watch.targets().stream().collect(toMap(each -> each.target().name(), each -> each.target().pages())))
        .containsOnly(
            Map.entry("/networks/eth/new_pools?include=base_token,dex,quote_token", 3),
            Map.entry("/networks/eth/trending_pools?duration=5m&include=base_token,dex,quote_token", 2),
            Map.entry("/networks/eth/trending_pools?duration=1h&include=base_token,dex,quote_token", 2),
            Map.entry("/networks/eth/dexes/uniswap_v3/pools"
                + "?include=base_token,dex,quote_token&sort=h24_volume_usd_desc", 1),
            Map.entry("/networks/eth/tokens/" + EVM + "?include=top_pools", 1),
            Map.entry("/networks/eth/tokens/" + EVM + "/pools?include=base_token,dex,quote_token", 1),
            Map.entry("/networks/eth/pools/0x88e6?include=base_token,dex,quote_token"
                + "&include_composition=true&include_volume_breakdown=true", 1),
            Map.entry("/search/pools?include=base_token,dex,quote_token&network=eth&query=pepe", 1),
            Map.entry("/global", 1),
            Map.entry("/coins/bitcoin/tickers?depth=true", 1),
            Map.entry("/derivatives/exchanges/binance_futures?include_tickers=unexpired", 1),
            Map.entry("/public_treasury/strategy?holding_amount_change=30d,7d&holding_change_percentage=30d", 1),
            Map.entry("/asset_platforms", 1),
            Map.entry("/asset_platforms?filter=nft", 1));
    assertThat(watch.histories()).singleElement().satisfies(days -> {
      assertThat(days.days()).isEqualTo(30);
      assertThat(days.target().apply(LocalDate.parse("2026-03-09")).name())
          .isEqualTo("/coins/bitcoin/history?date=09-03-2026");
    });
    assertThat(watch.callsPerRound()).isEqualTo(18 + 30);
  }

  @Test
  void periodsAndWeights_areThoseOfTheirTargets() {
    var targets = parse(FULL, WITH_KEY).sources().getFirst().watch().targets();

    assertThat(targets)
        .filteredOn(each -> each.target().query().operation() == Operation.POOL)
        .extracting(WatchedTarget::period, WatchedTarget::weight)
        .containsExactly(tuple(Duration.ofSeconds(10), 10.0));
    assertThat(targets)
        .filteredOn(each -> each.target().query() instanceof Query.NewPools)
        .extracting(WatchedTarget::period)
        .containsExactly(Duration.ofSeconds(60));
  }

  @Test
  void minimalFile_hasTheDocumentedDefaults() {
    var settings = parse(MINIMAL, Map.of());
    var source = settings.sources().getFirst();

    assertThat(settings.kafka().bootstrapServers()).isEqualTo("localhost:9092");
    assertThat(settings.kafka().openTransactionWait()).isEqualTo(Duration.ofMinutes(16));
    assertThat(settings.registry().url()).isNull();
    assertThat(source.name()).isEqualTo("main");
    assertThat(source.prefix()).isEqualTo("tidemark.");
    assertThat(source.client().key(0)).isNull();
    assertThat(source.limits().perMinute()).isEqualTo(30);
    assertThat(source.limits().perMonth()).isEqualTo(10_000);
    assertThat(source.publishing()).isEqualTo(PublishSettings.MATERIAL);
    assertThat(settings.web()).isEqualTo(new ListenerSettings("127.0.0.1", 8080, 1_000, 500, false));
    assertThat(settings.management()).isEqualTo(new ListenerSettings("127.0.0.1", 9090, 100, 50, false));
    assertThat(settings.fieldNames()).isEqualTo(FieldNaming.DOCUMENT);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "sources: [                              | 1:11: a value is missing here",
    "surces: []                              | 1:1: unknown key 'surces'; did you mean 'sources'?",
    "web: { port: 8080, port: 8081 }         | 1:20: port: this key is written twice",
    "web: 8080                               | 1:6: web: expected keys here: { key: value, ... }",
    "web: *here                              | 1:6: aliases (*name) are not supported; write the value out",
    "web: { port: many }                     | 1:14: web.port: 'many' is not a whole number",
    "web: { port: 70000 }                    | 1:14: web.port: must be 0 (any free port) to 65535, got 70000",
    "web: { keys: [abc] }                    | 1:15: web.keys[0]: expected keys here: { key: value, ... }",
    "web: { keys: [ { name: a, hash: abc } ] } | 1:16: web.keys[0]: hash: must be 'sha256:' followed by 64 lower-case "
        + "hexadecimal digits, as 'tidemark key new' prints it; do not enter the key itself",
    "web: { address: 0.0.0.0 }               | 1:8: web.address: it is 0.0.0.0, which other machines can reach, and "
        + "reading needs no key. Make a key with 'tidemark key new'",
    "web: { address: '::' }                  | 1:8: web.address: it is ::, which other machines can reach, and",
    "web: { anonymous: all }                 | 1:19: web.anonymous: 'all' is not one of none, local, read",
    "web: { session-secret: abc }            | 1:24: web.session-secret: a secret must not be written in a configuration",
    "web: { tls: { certificate: a.pem } }    | 1:13: web.tls.key: missing",
    "web: { field-names: pro }               | 1:21: web.field-names: 'pro' is not one of document, service",
    "kafka: { embedded: { port: 70000 } }    | 1:28: kafka.embedded.port: must be 0 (any free port) to 65535, got 70000",
    "kafka: { embedded: { retention-bytes: 1 } } | 1:39: kafka.embedded.retention-bytes: must be at least 8388608, or "
        + "-1 for no limit, got 1",
    "management: { port: 70000 }             | 1:21: management.port: must be 0 (any free port) to 65535, got 70000",
    "management: { prot: 9191 }              | 1:15: management: unknown key 'prot'; did you mean 'port'?",
    "registry: { url: 'http://me:pw@h' }     | 1:18: registry.url: the address must not contain user, password or query",
    "rules: { shipped: [new-pol] }            | 1:20: rules.shipped[0]: 'new-pol' is not one of new-pool, ",
    "topics: { retention: { changes: soon }} | 1:33: topics.retention.changes: 'soon' is not a duration "
        + "such as 500ms, 30s, 10m, 6h or 30d",
    "topics: { partitions: 0 }               | 1:23: topics.partitions: topics.partitions: must be at least 1, got 0",
    "{}                                      | 1:1: sources: at least one source is needed, "
        + "such as [ { base-url: ..., watch: { ... } } ]",
  })
  void invalidFile_isRejectedWithPositionAndAdvice(String text, String problem) {
    assertThatThrownBy(() -> parse(text, Map.of()))
        .isInstanceOf(YamlException.class)
        .hasMessageStartingWith(FILE + ":" + problem);
  }

  @Test
  void sourcesWithOneKeyInTheCluster_areRejected() {
    var text = """
        sources:
          - { prefix: tidemark., name: eu.main, base-url: "https://example.org/api/v3", watch: { global: {} } }
          - { prefix: tidemark.eu., name: main, base-url: "https://example.org/api/v3", watch: { global: {} } }
        """;

    assertThatThrownBy(() -> parse(text, Map.of())).isInstanceOf(YamlException.class).hasMessageContaining(
        "sources[1]: prefix and name, written together, are the same text as those of another source: tidemark.eu.main");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "name: x                            | sources[0].base-url: missing",
    "base-url: 'https://me:pw@example.org' | sources[0].base-url: base-url: must not contain a user, password",
    "base-url: ftp://x                  | sources[0].base-url: base-url: 'ftp://x' must be an address",
    "keys: [ { key: abc } ]             | sources[0].keys[0].key: a secret must not be written in a configuration; "
        + "write ${VARIABLE}, or use key-file",
    "keys: [ { key: '${NOBODY}' } ]     | sources[0].keys[0].key: environment variable NOBODY is not set",
    "keys: [ { per-minute: 30 }, { per-minute: 30 } ] | sources[0].keys[0]: a key is missing; if there are several "
        + "entries, each needs its own key",
    "keys: [ { key-file: none.txt } ]   | sources[0].keys[0].key-file: cannot read /etc/none.txt: NoSuchFile",
    "share: 2                           | sources[0]: share: must be above 0 and at most 1, got 2.0",
    "emit: { pool.prise: { band: 1% } } | sources[0].emit: unknown key 'pool.prise'; did you mean 'pool.price'?",
    "emit: { pool.price: { band: x } }  | sources[0].emit.pool.price.band: 'x' is not a number",
    "emit: { ranking.order: { every: 5m } } | 3:13: sources[0].emit.ranking.order: every change of the order is "
        + "published at once, because the records of pool.listing are written with it",
    "refresh: fast                      | sources[0].refresh: 'fast' is not one of public, pro",
    "refresh: { pools: 10s }            | sources[0].refresh: unknown key 'pools'; did you mean 'pool'?",
    "evict-after: 10m                  | sources[0].evict-after: must be at least 1h",
    "max-round: 3m                      | sources[0].watch: one round of the watch list takes 5m at the 0.22 calls a "
        + "minute that the budget allows all the time, but max-round is 3m. The nearest watch list that fits: nothing, "
        + "because one call alone takes longer; or allow longer rounds with max-round: 5m",
    "max-age: 5m                        | sources[0].max-age: cannot be kept: one round of the watch list takes 5m, and no "
        + "target is polled more often than the service refreshes it; the smallest max-age that can be kept is 6m",
  })
  void invalidSource_isRejectedWithPositionAndAdvice(String line, String problem) {
    var address =
        line.contains("base-url") || line.contains("name") ? "" : "base-url: https://example.org/api/v3\n    ";
    var text = "sources:\n  - " + address + line + "\n    watch: { global: {} }\n";

    assertThatThrownBy(() -> parse(text, Map.of())).isInstanceOf(YamlException.class).hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{}                                                  | nothing is watched",
    "{ network: {} }                                     | unknown key 'network'; did you mean 'networks'?",
    "{ networks: { eth: { new-pools: { page: 1 } } } }   | unknown key 'page'; did you mean 'pages'?",
    "{ networks: { eth: { new-pools: { pages: 0 } } } }  | watch.networks.eth.new-pools.pages: must be 1 to 500, got 0",
    "{ networks: { eth: { trending: { durations: [2h] } } } } | trending.durations[0]: '2h' is not one of "
        + "5m, 1h, 6h, 24h",
    "{ networks: { eth: { tokens: { '0x1': { composition: true } } } } } | composition: needs top-pools: true",
    "{ networks: { eth: { pools: { '" + EVM + "': {}, '" + EVM_CHECKSUMMED + "': {} } } } } | pools." + EVM_CHECKSUMMED
        + ": watched twice, here and at sources[0].watch.networks.eth.pools." + EVM
        + "; remove one of the two",
    "{ searches: [ { query: pepe }, { query: pepe, pages: 2 } ] } | searches[1]: watched twice, here and at "
        + "sources[0].watch.searches[0]",
    "{ coins: { bitcoin: {} } }                          | coins.bitcoin: coin has no history or tickers; add at least "
        + "one",
    "{ coins: { bitcoin: { history: { days: 0 } } } }    | history.days: must be 1 to 10000 days, got 0",
    "{ global: { weight: 0 } }                        | global.weight: weight: must be above 0 and at most 1000, got 0.0",
    "{ global: {}, follow: [ { entering: treding } ] }   | follow[0].entering: 'treding' is not one of trending, new, dex, "
        + "token, search; did you mean trending?",
    "{ global: {}, follow: [ { entering: new, where: 'about.reserve > 1.0' } ] } | follow[0].where: line 1, column 1",
    "{ searches: [ { query: pepe } ], follow: [ { entering: search } ] } | follow[0].entering: no pool can be followed, "
        + "because no search has a network",
    "{ global: {}, follow: [ { entering: new, most: 0 } ] } | follow[0]: most: must be 1 to 10000, got 0",
    "{ coins: { each: { history: {} } } }                | each: sets options for the entries of a file; set file too",
  })
  void invalidWatchList_isRejectedWithPositionAndAdvice(String watch, String problem) {
    var text = "sources:\n  - base-url: https://example.org/api/v3\n    watch: " + watch;

    assertThatThrownBy(() -> parse(text, Map.of())).isInstanceOf(YamlException.class).hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "acks: 1                       | kafka.properties.acks: exactly-once forbids '1'; leave this property out",
    "acks: 0                       | kafka.properties.acks: exactly-once forbids '0'",
    "producer.acks: 1              | kafka.properties.producer.acks: exactly-once forbids '1'",
    "enable.idempotence: false     | kafka.properties.enable.idempotence: exactly-once forbids 'false'",
    "retries: 0                    | kafka.properties.retries: exactly-once forbids '0'",
    "producer.retries: 0           | kafka.properties.producer.retries: exactly-once forbids '0'",
    "max.in.flight.requests.per.connection: 6 | kafka.properties.max.in.flight.requests.per.connection: exactly-once",
    "isolation.level: read_uncommitted | kafka.properties.isolation.level: exactly-once forbids 'read_uncommitted'",
    "main.consumer.isolation.level: read_uncommitted | kafka.properties.main.consumer.isolation.level: exactly-once",
    "enable.auto.commit: true      | kafka.properties.enable.auto.commit: exactly-once forbids 'true'",
    "processing.guarantee: at_least_once | kafka.properties.processing.guarantee: exactly-once forbids",
    "transactional.id: mine        | kafka.properties.transactional.id: the program sets this itself",
    "group.instance.id: mine       | kafka.properties.group.instance.id: the program sets this itself",
    "consumer.group.id: mine       | kafka.properties.consumer.group.id: the program sets this itself",
    "partitioner.class: Mine       | kafka.properties.partitioner.class: the program sets this itself",
    "linger.ms: soon               | Invalid value soon for configuration linger.ms",
    "security.protocol: TLS        | security.protocol",
    "fetch.min.bytes: -1           | fetch.min.bytes",
  })
  void propertyThatKafkaOrExactlyOnceForbids_isRejectedByItsName(String property, String problem) {
    var text = "kafka: { properties: { " + property + " } }\n" + MINIMAL;

    assertThatThrownBy(() -> parse(text, Map.of("KEY", KEY))).isInstanceOf(YamlException.class)
        .hasMessageContaining(problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"acks: all", "acks: -1", "retries: 5", "enable.idempotence: true", "client.rack: eu-1a",
    "num.standby.replicas: 0", "max.in.flight.requests.per.connection: 5", "producer.linger.ms: 20"})
  void otherProperty_isAccepted(String property) {
    var text = "kafka: { properties: { " + property + " } }\n" + MINIMAL;

    assertThat(parse(text, Map.of("KEY", KEY)).kafka().properties()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ssl.truststore.location", "admin.ssl.keystore.location"})
  void fileOfAProperty_isRelativeToTheConfiguration(String property) throws IOException {
    var file = Files.writeString(folder.resolve("tidemark.yaml"),
        "kafka: { properties: { " + property + ": ca.pem } }\n" + MINIMAL);

    assertThat(Settings.read(file, Map.of("KEY", KEY)::get).kafka().properties())
        .isEqualTo(Map.of(property, folder.resolve("ca.pem").toString()));
  }

  @Test
  void passwordInALoginLine_isEscaped_soThatKafkaReadsIt() {
    var text = "kafka: { properties: { sasl.jaas.config: "
        + "'org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a\" password=\"${LOGIN}\";' } }\n"
        + MINIMAL;
    var line = parse(text, Map.of("KEY", KEY, "LOGIN", "ab\"c\\d; e"))
        .kafka().properties().get("sasl.jaas.config");

    assertThat(JaasContext.loadClientContext(Map.of("sasl.jaas.config", new Password(line))).configurationEntries())
        .singleElement()
        .satisfies(entry -> assertThat(entry.getOptions()).isEqualTo(
            Map.of("username", "a", "password", "ab\"c\\d; e")));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "username=\"${LOGIN}\" password=\"SECRET\";",
    "password = 'SECRET' username=\"${LOGIN}\";",
    "username=\"${LOGIN}\" password=SECRET;",
    "clientId=\"${LOGIN}\" clientSecret=\"SECRET\" ssl.truststore.password=\"${LOGIN}\";",
  })
  void plainPasswordInALoginLine_isRefused_besideAVariable(String options) {
    var text = "kafka:\n  properties:\n    sasl.jaas.config: |\n      a.Module required " + options + "\n" + MINIMAL;

    assertThatThrownBy(() -> parse(text, Map.of("LOGIN", "me"))).isInstanceOf(YamlException.class)
        .hasMessageContaining("kafka.properties.sasl.jaas.config: a secret must not be written in a configuration")
        .hasMessageNotContaining("SECRET");
  }

  /** Certificates have the type of a password, too. */
  @Test
  void plainTextOfEachSecretOfKafka_isRefused() {
    var secrets = Stream.of(ProducerConfig.configDef(), ConsumerConfig.configDef(), AdminClientConfig.configDef())
        .flatMap(each -> each.configKeys().values().stream())
        .filter(each -> each.type == ConfigDef.Type.PASSWORD && !each.name.contains("certificate"))
        .map(each -> each.name).collect(toSet());

    assertThat(secrets).contains("ssl.key.password", "sasl.oauthbearer.assertion.private.key.passphrase")
        .allSatisfy(name -> assertThatThrownBy(
            () -> parse("kafka: { properties: { " + name + ": abc } }\n" + MINIMAL, Map.of()))
            .hasMessageContaining("kafka.properties." + name + ": a secret must not be written in a configuration"));
  }

  @Test
  void loginLineThatKafkaCannotRead_isRejectedWithoutItsPassword() {
    var text = "kafka: { properties: { sasl.jaas.config: "
        + "'org.apache.kafka.common.security.plain.PlainLoginModule required password=${LOGIN};' } }\n" + MINIMAL;

    assertThatThrownBy(() -> parse(text, Map.of("KEY", KEY, "LOGIN", "ab SECRET")))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("kafka.properties.sasl.jaas.config: not a line of the form ")
        .hasMessageNotContaining("SECRET");
  }

  @Test
  void secretOfKafkaWithoutAValue_isRejectedWithItsPlace() {
    var text = "kafka: { properties: { ssl.keystore.password: } }\n" + MINIMAL;

    assertThatThrownBy(() -> parse(text, Map.of("KEY", KEY)))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("1:24: kafka.properties.ssl.keystore.password: has no value");
  }

  @Test
  void budgetsOfSeveralKeys_addUp() {
    var equal = parse("""
        sources:
          - base-url: https://example.org/api/v3
            keys: [ { key: "${ONE}" }, { key: "${TWO}" }, { key: "${THREE}" } ]
            watch: { global: {} }
        """, Map.of("ONE", "k1", "TWO", "k2", "THREE", "k3")).sources().getFirst();
    var unequal = parse("""
        sources:
          - base-url: https://example.org/api/v3
            keys: [ { key: "${ONE}", name: team, per-minute: 500, per-month: 500000 }, { key: "${TWO}" } ]
            watch: { global: {} }
        """, Map.of("ONE", "k1", "TWO", "k2")).sources().getFirst();

    assertThat(equal.limits().perMinute()).isEqualTo(90);
    assertThat(equal.limits().perMonth()).isEqualTo(30_000);
    assertThat(unequal.limits().perMonth()).isEqualTo(510_000);
    assertThat(unequal.limits().keys()).extracting(KeyLimits::name).containsExactly("team", "2");
    assertThat(unequal.limits().perMinute()).isEqualTo(530);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{ key: '${ONE}' }, { key: '${ONE}' }                    | sources[0].keys: duplicate key",
    "{ key: '${ONE}', name: a }, { key: '${TWO}', name: a }  | keys: two keys have the same name",
  })
  void keysThatAreTheSame_areRefused(String keys, String problem) {
    var text = "sources:\n  - base-url: https://example.org/api/v3\n    keys: [ " + keys
        + " ]\n    watch: { global: {} }\n";

    assertThatThrownBy(() -> parse(text, Map.of("ONE", "k1", "TWO", "k2"))).isInstanceOf(YamlException.class)
        .hasMessageContaining(problem).hasMessageNotContaining("k1");
  }

  @Test
  void environment_overridesAnyValue() {
    var environment = Map.of(
        "TIDEMARK_KAFKA_BOOTSTRAP_SERVERS", "elsewhere:9092",
        "TIDEMARK_SOURCES_0_KEYS_0_KEY", KEY,
        "TIDEMARK_SOURCES_0_KEYS_0_PER_MINUTE", "250");

    var settings = parse(MINIMAL, environment);

    assertThat(settings.kafka().bootstrapServers()).isEqualTo("elsewhere:9092");
    assertThat(settings.sources().getFirst().client().key(0).value()).isEqualTo(KEY);
    assertThat(settings.sources().getFirst().limits().perMinute()).isEqualTo(250);
  }

  @Test
  void environment_setsSectionsThatTheFileDoesNotHave() {
    var settings = parse(MINIMAL, Map.of(
        "TIDEMARK_WEB_TLS_CERTIFICATE", "tls.crt", "TIDEMARK_WEB_TLS_KEY", "/run/tls.key",
        "TIDEMARK_KAFKA_EMBEDDED_PORT", "9095", "TIDEMARK_SOURCES_0_REFRESH_GLOBAL", "7m"));
    var besideOther =
        parse(MINIMAL + "    refresh: { pool: 10s }\n", Map.of("TIDEMARK_SOURCES_0_REFRESH_GLOBAL", "8m"));

    assertThat(settings.webTls()).isEqualTo(new TlsFiles(Path.of("/etc/tls.crt"), Path.of("/run/tls.key")));
    assertThat(settings.kafka().bootstrapServers()).isNull();
    assertThat(settings.kafka().embedded()).satisfies(broker -> assertThat(broker.port()).isEqualTo(9095));
    assertThat(settings.sources().getFirst().watch().targets())
        .extracting(WatchedTarget::period).containsExactly(Duration.ofMinutes(7));
    assertThat(besideOther.sources().getFirst().watch().targets())
        .extracting(WatchedTarget::period).containsExactly(Duration.ofMinutes(8));
    assertThatThrownBy(() -> parse(MINIMAL, Map.of("TIDEMARK_WEB_TLS_CERTIFICATE", "tls.crt")))
        .hasMessageContaining("web.tls.key: missing");
    assertThatThrownBy(() -> parse("kafka: { bootstrap-servers: 'kafka:9092' }\n" + MINIMAL,
        Map.of("TIDEMARK_KAFKA_EMBEDDED_PORT", "9095")))
        .hasMessageContaining("kafka.embedded: set either embedded or bootstrap-servers, not both");
  }

  @Test
  void variableOfNoSetting_isReportedWithTheNearestName() throws IOException {
    var file = Files.writeString(folder.resolve("tidemark.yaml"), MINIMAL);

    var warnings = new ArrayList<String>();
    Settings.read(file, Map.of("TIDEMARK_WEB_PROT", "1", "TIDEMARK_WEB_PORT", "2", "TIDEMARK_LOG_LEVL", "debug",
        "TIDEMARK_LOG", "json", "TIDEMARK_JAVA_OPTS", "", "TIDEMARK_XYZ", "", "TIDEMARK_MANAGEMENT_HOST", "::1", "HOME",
        "/"), warnings::add);

    assertThat(warnings)
        .containsExactly(
            "environment variable TIDEMARK_LOG_LEVL has no effect; did you mean TIDEMARK_LOG_LEVEL?",
            "environment variable TIDEMARK_WEB_PROT has no effect; did you mean TIDEMARK_WEB_PORT?",
            "environment variable TIDEMARK_XYZ has no effect; no setting of " + file + " has this name");
  }

  @ParameterizedTest
  @CsvSource({"1.0, 1.0, SAME, 1", "0.5, 0.6, SAME, 1", "0.5, 0.5, SAME, 0", "1.0, 1.0, OTHER, 0"})
  void keyOfTwoSources_isReported_unlessTheyShareThePlan(double one, double other, String key, int count)
      throws IOException {
    var file = Files.writeString(folder.resolve("tidemark.yaml"), """
        kafka: { bootstrap-servers: "localhost:9092" }
        sources:
          - { name: eth, prefix: eth., base-url: "https://example.org/api/v3", share: %s, keys: [ { key: "${SAME}" } ],
              watch: { global: {} } }
          - { name: base, prefix: base., base-url: "https://example.org/api/v3", share: %s, keys: [ { key: "${%s}" } ],
              watch: { global: {} } }
        """.formatted(one, other, key));

    var warnings = new ArrayList<String>();
    Settings.read(file, Map.of("SAME", "first-secret", "OTHER", "second-secret"), warnings::add);

    assertThat(warnings).hasSize(count)
        .allSatisfy(each -> assertThat(each).startsWith("sources eth, base use the same API key").contains("'share'"));
  }

  @Test
  void invalidValueFromTheEnvironment_namesItsVariable() {
    assertThatThrownBy(() -> parse(MINIMAL, Map.of("TIDEMARK_WEB_PORT", "web")))
        .hasMessage("environment variable TIDEMARK_WEB_PORT: web.port: 'web' is not a whole number");
  }

  @Test
  void keysOfTheWebPort_allowOtherAddresses() {
    var hash = "sha256:" + "0a".repeat(32);
    var settings = parse("""
        web:
          address: 0.0.0.0
          keys: [ { name: ann, hash: "%s" }, { name: bob, hash: "%s", rights: [write], per-minute: 5 } ]
          session-secret: ${SECRET}
          tls: { certificate: tls.crt, key: /run/tls.key }
        """.formatted(hash, hash.replace("0a", "0b")) + MINIMAL, Map.of("SECRET", "s".repeat(32)));

    assertThat(settings.access().keys()).containsExactly(
        new AccessKey("ann", hash, Set.of(AccessRight.READ), 600),
        new AccessKey("bob", hash.replace("0a", "0b"), Set.of(AccessRight.READ, AccessRight.WRITE), 5));
    assertThat(settings.webTls()).isEqualTo(new TlsFiles(Path.of("/etc/tls.crt"), Path.of("/run/tls.key")));
    assertThat(settings.toString()).doesNotContain("ssss");
    assertThat(parse("web: { address: 0.0.0.0, anonymous: read }\n" + MINIMAL, Map.of()).access().anonymous())
        .isEqualTo(AnonymousAccess.ANYWHERE);
    assertThatThrownBy(() -> parse("web: { session-secret: '${SECRET}' }\n" + MINIMAL, Map.of("SECRET", "short")))
        .hasMessageContaining("session-secret: must have at least 32 characters").message().doesNotContain("short");
    assertThatThrownBy(() -> parse("web: { keys: [ { name: a, hash: '%1$s' }, { name: b, hash: '%1$s' } ] }\n"
        .formatted(hash) + MINIMAL, Map.of()))
        .hasMessageContaining("the name or the hash of key b is already used by another key");
  }

  @Test
  void collectorOfTraces_isOffUnlessItHasAnAddress() {
    assertThat(parse(MINIMAL, Map.of()).tracing()).isNull();
    assertThat(parse("tracing: { sample: 0.1 }\n" + MINIMAL, Map.of()).tracing()).isNull();
    assertThat(parse(MINIMAL, Map.of("TIDEMARK_TRACING_ENDPOINT", "http://localhost:4318")).tracing())
        .isEqualTo(new TracingSettings(URI.create("http://localhost:4318/v1/traces"), 1, Map.of()));
  }

  @Test
  void loginAtTheCollectorOfTraces_isASecret() {
    var text = """
        tracing:
          endpoint: https://example.org/otlp/v1/traces
          sample: 0.25
          headers: { authorization: "Bearer ${TOKEN}" }
        """ + MINIMAL;

    var tracing = parse(text, Map.of("TOKEN", "t0k3n\n")).tracing();

    assertThat(tracing).isEqualTo(new TracingSettings(URI.create("https://example.org/otlp/v1/traces"), 0.25,
        Map.of("authorization", new Secret("Bearer t0k3n"))));
    assertThat(tracing.toString()).doesNotContain("t0k3n");
    assertThatThrownBy(() -> parse(text.replace("${TOKEN}", "t0k3n"), Map.of()))
        .hasMessageContaining("tracing.headers.authorization: a secret must not be written in a configuration");
    assertThatThrownBy(() -> parse(text, Map.of("TOKEN", "t0\nk3n")))
        .hasMessageContaining("tracing.headers.authorization: the value must not contain line breaks")
        .hasMessageNotContaining("k3n");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "registry: { url: 'https://me:p^w@h' }\n" + MINIMAL,
    "tracing: { endpoint: 'https://me:p^w@h' }\n" + MINIMAL,
    "sources: [ { base-url: 'https://me:p^w@h', watch: { global: {} } } ]",
  })
  void addressThatIsNotValid_isNotShown(String text) {
    assertThatThrownBy(() -> parse(text, Map.of())).isInstanceOf(YamlException.class)
        .hasMessageContaining("the value is not an address such as").hasMessageNotContaining("p^w");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{ endpoint: localhost:4318 }                      | tracing.endpoint: must be an address such as",
    "{ endpoint: 'http://ann:pw@localhost:4318' }      | tracing.endpoint: must be an address such as",
    "{ endpoint: 'http://localhost:4318?key=pw' }      | tracing.endpoint: must be an address such as",
    "{ endpoint: 'http://localhost:4318', sample: 2 }  | tracing.sample: must be 0 (no trace) to 1 (every trace)",
    "{ url: 'http://localhost:4318' }                  | unknown key 'url'",
  })
  void collectorOfTraces_thatCannotBeUsed_isRefused(String tracing, String problem) {
    assertThatThrownBy(() -> parse("tracing: " + tracing + "\n" + MINIMAL, Map.of()))
        .isInstanceOf(YamlException.class).hasMessageContaining(problem).hasMessageNotContaining("pw@");
  }

  @Test
  void secret_isNeverShown() {
    var text = FULL.replace("per-minute: 500", "per-minute: '${API_KEY}'");

    assertThat(parse(FULL, WITH_KEY).toString()).doesNotContain(KEY);
    assertThatThrownBy(() -> parse(text, WITH_KEY)).message().contains("${API_KEY}").doesNotContain(KEY);
  }

  @Test
  void listFile_namesTargetsThatShareTheirOptions() throws Exception {
    Files.writeString(folder.resolve("pools.txt"), "0x1  # the first\n\n# none\n0x2\n");
    var text = "sources:\n  - base-url: https://example.org/api/v3\n    watch: "
        + "{ networks: { eth: { pools: { file: pools.txt, each: { composition: true }, '0x3': {} } } } }";
    var file = folder.resolve("tidemark.yaml");
    Files.writeString(file, text);

    var targets = Settings.read(file, name -> null).sources().getFirst().watch().targets();

    assertThat(targets).extracting(each -> (Query.PoolByAddress) each.target().query())
        .extracting(Query.PoolByAddress::address, Query.PoolByAddress::composition)
        .containsExactlyInAnyOrderElementsOf(List.of(
            tuple("0x1", true),
            tuple("0x2", true),
            tuple("0x3", false)));
  }

  @Test
  void commandThatUsesKafkaAlone_needsNoSecretOfOthers() throws Exception {
    var file = folder.resolve("tidemark.yaml");
    Files.writeString(file, """
        kafka: { bootstrap-servers: "kafka:9092" }
        sources:
          - base-url: https://example.org/api/v3
            keys: [ { key: "${MARKET_KEY}", per-minute: 30, per-month: 10000 } ]
            watch: { global: {} }
        receivers: [ { name: chat, format: slack, url: "${CHAT_URL}" } ]
        web: { session-secret: "${SESSION_SECRET}" }
        """);

    var settings = Settings.readForKafka(file, name -> null);
    var receivers = Settings.readReceivers(file, name -> name.equals("CHAT_URL") ? "https://example.org/hook" : null);

    assertThat(settings.kafka().properties()).doesNotContainKey("security.protocol");
    assertThat(settings.sources()).hasSize(1);
    assertThat(settings.receivers()).isEmpty();
    assertThat(receivers).singleElement().satisfies(each -> assertThat(each.name()).isEqualTo("chat"));
    assertThatThrownBy(() -> Settings.read(file, name -> null)).hasMessageContaining("SESSION_SECRET is not set");
    assertThatThrownBy(() -> Settings.readReceivers(file, name -> null)).hasMessageContaining("CHAT_URL is not set");
  }

  @Test
  void missingFile_isNamed() {
    assertThatThrownBy(() -> Settings.read(folder.resolve("none.yaml"), name -> null))
        .hasMessageEndingWith("none.yaml: there is no such file; give the path of a configuration file with --config");
  }

  static final String EVM = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
  static final String EVM_CHECKSUMMED = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";

  /** A checksummed address of an EVM network is lower case for the service; in all other networks the case may matter. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "eth | 0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2 | 0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    "bsc | 0XBB4CDB9CBD36B01BD1CBAEBF2DE08D9173BC095C | 0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
    "polygon_pos | 0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270 | 0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    "base | 0x4200000000000000000000000000000000000006 | 0x4200000000000000000000000000000000000006",
    "arbitrum | 0x912CE59144191C1204E64559FE8253a0e49E6548 | 0x912ce59144191c1204e64559fe8253a0e49e6548",
    "avax | 0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7 | 0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
    "eth | 0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27 | ",
    "solana | EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v | ",
    "solana | 0xJupiterFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZ | ",
    "ton | EQD0xABcDeFghijKlmnOpqRstUvWxyz0123456789_-AB-0x | ",
    "ton | UQBcDeF0xABCDEF0123456789ABCDEF0123456789ABCDEF0 | ",
    "tron | TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t | ",
    "sui-network | 0x2::sui::SUI | ",
    "sui-network | 0x5D4B302506645C37FF133B98C4B50A5AE14841659738D6D733D59D0D217A93BF::coin::COIN | ",
    "sui-network | 0xB8D7D9E66A60C239E7A60110EFCF8DE6C705580ED924D0DDE141F4A0E2C90105 | ",
    "aptos | 0x1::aptos_coin::AptosCoin | ",
    "aptos | 0xA | ",
    "starknet-alpha | 0x049D36570D4e46f48e99674bd3fcc84644DdD6b96F7C741B1562B82f9e004dC7 | ",
    "near | wrap.near | ",
    "cardano | asset1Qz0xABCDEF0123456789ABCDEF0123456789 | ",
    "stellar | USDC-GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN | ",
    "xrpl | 534F4C4F00000000000000000000000000000000.rsoLo2S1kiGeCcn6hCUXVrCpGMWLrRrLZz | ",
    "hedera-hashgraph | 0.0.456858 | ",
    "icp | ryjl3-tyaaa-aaaaa-aaaba-cai | ",
    "algorand | 31566704 | ",
    "tezos | KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn | ",
    "multiversx | WEGLD-bd4d79 | ",
    "sei-network | sei1hRndqntlvtmx2kepr0zsfgr7nzjptcc72cr4ppk4yav58vvy7v3s4er8ed | ",
    "hyperliquid | 0x0D01DC56DCAACA66AD901C959B4011EC | ",
    "xdc | xdcFA958CB79B0491CC627C1557F441EF849CA8EB1 | "})
  void address_isReadTheSameFromTheFile_theCommandLineAndHttp(String network, String address, String canonical) {
    var watched = canonical == null ? address : canonical;
    var file = parse("""
        sources:
          - base-url: https://example.org/api/v3
            watch: { networks: { %s: { pools: { '%s': {} }, tokens: { '%s': { pools: {} } } } } }
        """.formatted(network, address, address), Map.of()).sources().getFirst();
    var added = file.additions().reader();
    var path = "/networks/" + network;

    assertThat(file.watch().targets()).hasSize(3).allSatisfy(each -> {
      var query = each.target().query();
      assertThat(address(query)).isEqualTo(watched);
      assertThat(added.apply(Endpoints.targetName(query), "{}").watched().target().query()).isEqualTo(query);
    });
    for (var name : List.of("/pools/%s", "/tokens/%s", "/tokens/%s/pools")) {
      var target = path + name.formatted(URLEncoder.encode(address, StandardCharsets.UTF_8));
      assertThat(address(added.apply(target, "{}").watched().target().query())).as(target).isEqualTo(watched);
      assertThat(address(Endpoints.parseTarget(target))).as("over HTTP").isEqualTo(watched);
    }
  }

  private static String address(Query<?> query) {
    return switch (query) {
      case Query.PoolByAddress pool -> pool.address();
      case Query.TokenByAddress token -> token.address();
      case Query.TokenPools pools -> pools.tokenAddress();
      default -> throw new AssertionError(query);
    };
  }

  private static Settings parse(String text, Map<String, String> environment) {
    return Settings.parse(FILE, text, environment::get);
  }
}
