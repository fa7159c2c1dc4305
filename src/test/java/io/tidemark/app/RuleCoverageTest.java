package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.config.Settings;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.ShippedRules;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleCoverageTest {

  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  static final RuleSet SHIPPED = RuleSetReader.read(List.of(ShippedRules.document()), TOPICS.ruleSchemas(), List.of());

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "global: {}                                             | new-pool           | gets no data",
    "networks: { eth: { new-pools: {} } }                   | new-pool-locked-liquidity | gets no data",
    "networks: { eth: { new-pools: {} } }                   | newly-trending     | gets no data",
    "networks: { eth: { new-pools: {} } }                   | suspicious-reports | gets no data",
    "global: {}                                             | depeg              | gets no data",
    "derivatives: { binance_futures: {} }                   | funding-extreme    | gets no data",
    "coins: { bitcoin: { history: { days: 3 } } }           | dominance-shift    | gets no data"})
  void ruleWithoutATarget_isBlindAndNamesWhatToWatch(String watch, String rule, String problem) {
    assertThat(problems(watch, 30, rule)).singleElement().asString().startsWith(rule + ": " + problem)
        .contains("watch");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "networks: { eth: { new-pools: {} } }                               | new-pool",
    "networks: { eth: { pools: { '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640': {} } } } | new-pool-locked-liquidity",
    "networks: { eth: { trending: {} } }                                | newly-trending",
    "networks: { eth: { new-pools: { gt-community-data: true } } }      | suspicious-reports",
    "coins: { tether: { tickers: {} } }                                 | depeg",
    "networks: { eth: { trending: {} } }                                | depeg",
    "derivatives: { binance_futures: { tickers: unexpired } }           | funding-extreme",
    "global: {}                                                         | dominance-shift",
    "treasuries: { strategy: {} }                                       | holding-increased",
    "platforms: {}                                                      | new-platform"})
  void ruleWithATarget_hasNoProblem(String watch, String rule) {
    assertThat(problems(watch, 500, rule)).isEmpty();
  }

  /** A rule is reported only if none of its records can come, not if some of what it reads is not there. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
    "networks: { eth: { new-pools: {} } }      ; token.changes ; pool_price.price_usd > 1.0              ; ",
    "networks: { eth: { new-pools: {} } }      ; token.changes ; changed.description                     ; ",
    "networks: { eth: { new-pools: {} } }      ; token.changes ; changed.price                           ; price of token.changes",
    "networks: { eth: { new-pools: {} } }      ; token.candles.1m ; close > 1.0                          ; price of token.changes",
    "networks: { eth: { new-pools: {} } }      ; venues        ; compared > 1                            ; ",
    "coins: { bitcoin: { tickers: {} } }       ; venues        ; compared > 1                            ; ",
    "global: {}                                ; venues        ; compared > 1                            ; ticker.changes",
    "networks: { eth: { new-pools: {} } }      ; pool.listing  ; kind != \"trending\"                     ; ",
    "networks: { eth: { new-pools: {} } }      ; pool.listing  ; kind == \"new\" || kind == \"trending\" ; ",
    "networks: { eth: { new-pools: {} } }      ; pool.listing  ; (kind==\"trending\") && (rank < 9 || size > 3) ; trending of pool.listing",
    "networks: { eth: { new-pools: {} } }      ; pool.listing  ; \"trending\" == kind                     ; trending of pool.listing",
    "networks: { eth: { new-pools: {} } }      ; pool.listing  ; rank < 9 && kind == \"trending\"        ; trending of pool.listing"})
  void ruleOfItsOwn_isBlindOnlyIfNoRecordCanCome(String watch, String topic, String when, @Nullable String blind) {
    var text = "rules: [ { name: own, on: %s, kind: event, when: '%s', severity: info, annotations: { summary: x } } ]"
        .formatted(topic, when);
    var rules = RuleSetReader.read(List.of(new RuleDocument("own", text)), TOPICS.ruleSchemas(), List.of());

    var problems = problems(rules, watch, 500, "own");

    if (blind == null) {
      assertThat(problems).isEmpty();
    } else {
      assertThat(problems).singleElement().asString().contains("no watched target shows " + blind);
    }
  }

  @Test
  void historyShorterThanThePollInterval_isTooSlow() {
    var watch = "networks: { eth: { new-pools: { pages: 10 } }, base: { new-pools: { pages: 10 } } }";

    assertThat(problems(watch, 1, "price-move")).singleElement().asString()
        .contains("gets data too rarely, because it needs two snapshots of price.base_token_price_usd within 10m");
  }

  private static List<String> problems(String watch, int perMinute, String rule) {
    return problems(SHIPPED, watch, perMinute, rule);
  }

  private static List<String> problems(RuleSet rules, String watch, int perMinute, String rule) {
    var config = """
        kafka: { bootstrap-servers: localhost:9092 }
        sources:
          - base-url: https://example.org/api/v3
            keys: [ { key: "${KEY}", per-minute: %d, per-month: 50000000 } ]
            watch: { %s }
        """.formatted(perMinute, watch.strip());
    var source =
        Settings.parse("tidemark.yaml", config, name -> name.equals("KEY") ? "secret" : null).sources().getFirst();
    return rules.rules().stream()
        .filter(each -> each.name().equals(rule))
        .map(each -> RuleCoverage.of(source.watch(), source.limits()).problem(each))
        .filter(Objects::nonNull)
        .toList();
  }
}
