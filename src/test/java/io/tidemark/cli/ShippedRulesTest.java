package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.expression.Expression.Verdict;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.ShippedRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Each shipped rule fires for its case and not for one that is nearly the same. */
class ShippedRulesTest {

  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  static final RuleSet SHIPPED = RuleSetReader.read(List.of(ShippedRules.document()), TOPICS.ruleSchemas(), List.of());

  static final String PRICE = "price.base_token_price_usd";
  static final String QUOTE = "price.quote_token_price_usd";
  static final String RESERVE = "liquidity.reserve_in_usd";
  static final String LOCKED = "lock.locked_liquidity_percentage";
  static final String OPEN_INTEREST = "open_interest.open_interest_usd";

  static final List<Case> CASES = cases();

  /** @param then the values that make it a counterexample */
  record Case(String rule, String what, Consumer<VocabularySample> fires, Consumer<VocabularySample> then) {
    @Override
    public String toString() {
      return rule + ": " + what;
    }
  }

  @Test
  void shippedRules_surviveWritingAndReading() {
    assertThat(RuleFormat.parse(RuleFormat.write(SHIPPED), TOPICS.ruleSchemas())).isEqualTo(SHIPPED);
  }

  @Test
  void everyRule_hasACase() {
    assertThat(CASES).extracting(Case::rule).containsAll(ShippedRules.names());
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void matchingCase_fires(Case one) {
    var rule = rule(one);
    var sample = sample(rule, one.fires());

    assertThat(rule.when().test(sample.evaluated())).isEqualTo(Verdict.TRUE);
    assertThat(rule.annotations().get("summary").fill(sample.evaluated())).isNotEmpty().doesNotContain("{{")
        .doesNotContain("[[");
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void counterexample_doesNotFire(Case one) {
    var rule = rule(one);
    var sample = sample(rule, one.fires().andThen(one.then()));

    assertThat(rule.when().test(sample.evaluated())).isNotEqualTo(Verdict.TRUE);
  }

  @Test
  void newPool_isArmedByItsCreationOnly() {
    var rule = rule("new-pool");
    var found = sample(rule, sample -> sample.with("appeared.kind", "found"));
    var created = sample(rule, sample -> sample.with("appeared.kind", "created"));
    var after = Objects.requireNonNull(rule.after());

    assertThat(after.test(found.evaluated())).isEqualTo(Verdict.FALSE);
    assertThat(after.test(created.evaluated())).isEqualTo(Verdict.TRUE);
    assertThat(rule.within()).isEqualTo(Duration.ofMinutes(60));
  }

  /** Each value lies between the threshold that fires the rule and the one that resolves its alert. */
  static final List<Case> BETWEEN = List.of(
      new Case("venue-dispersion", "2.5 % apart", s -> s.with("compared", 4).with("spread_percent", 2.5)
          .with("volume_usd", 2e6), s -> s.with("spread_percent", 1.9)),
      new Case("depeg", "0.7 % off", s -> s.with("coin", "tether").with("volume_usd", 1e9).with("median_usd", 1.007),
          s -> s.with("median_usd", 1.004)),
      new Case("funding-extreme", "0.07 %", s -> s.with("funding.funding_rate", -0.07).with(OPEN_INTEREST, 2e7),
          s -> s.with("funding.funding_rate", -0.04)),
      new Case("basis-divergence", "1.5 %", s -> s.with("basis.index_basis_percentage", -1.5)
          .with("description.contract_type", "perpetual").with(OPEN_INTEREST, 2e7),
          s -> s.with("basis.index_basis_percentage", -0.9)));

  @ParameterizedTest
  @FieldSource("BETWEEN")
  void betweenTheThresholds_aFiringAlertStaysAndNoneBegins(Case one) {
    var rule = rule(one);
    var between = sample(rule, one.fires()).evaluated();
    var below = sample(rule, one.fires().andThen(one.then())).evaluated();

    assertThat(rule.holds(rule.when().test(between), between, false)).isEqualTo(Verdict.FALSE);
    assertThat(rule.holds(rule.when().test(between), between, true)).isEqualTo(Verdict.TRUE);
    assertThat(rule.holds(rule.when().test(below), below, true)).isEqualTo(Verdict.FALSE);
  }

  private static List<Case> cases() {
    var cases = new ArrayList<Case>();
    Stream.of(pools(), lists(), markets(), treasuries(), others()).forEach(cases::addAll);
    return cases;
  }

  private static List<Case> pools() {
    Consumer<VocabularySample> young = pool(6_000).andThen(s -> s.with("about.created_at", "2026-01-01T11:30:00Z"));
    Consumer<VocabularySample> locked = young.andThen(s -> s.with(LOCKED, "99"));
    Consumer<VocabularySample> rose = pool(60_000).andThen(s -> s.with(PRICE, "1.25").with("before." + PRICE, "1.1")
        .since(PRICE, 1.0, 1.1, 1.25).with("about.created_at", "2026-01-01T10:30:00Z"));
    Consumer<VocabularySample> burst = pool(30_000).andThen(s -> s.with("activity.volume_usd.m5", "30000")
        .with("activity.volume_usd.h6", "100000").with("about.created_at", "2025-12-01T11:30:00Z"));
    Consumer<VocabularySample> pulled =
        pool(10_000).andThen(s -> s.with(RESERVE, "10000").with("before." + RESERVE, "40000")
            .with(PRICE, "0.9").with("before." + PRICE, "1").with(QUOTE, "1").with("before." + QUOTE, "1"));
    Consumer<VocabularySample> drained =
        pool(10_000).andThen(s -> s.with(RESERVE, "10000").with("before." + RESERVE, "14000")
            .with(PRICE, "1").with("before." + PRICE, "1").with(QUOTE, "1").with("before." + QUOTE, "1")
            .since(RESERVE, 40_000, 20_000, 14_000, 10_000).since(PRICE, 1.1, 1).since(QUOTE, 1, 1));
    Consumer<VocabularySample> reported = pool(30_000).andThen(s -> s.with("sentiment.community_sus_report", 7.0)
        .with("before.sentiment.community_sus_report", 2.0));
    return List.of(
        new Case("new-pool", "too small", young, s -> s.with("about.reserve_usd", 4_000.0)),
        new Case("new-pool", "too old", young, s -> s.with("about.created_at", "2026-01-01T10:59:00Z")),
        new Case("new-pool", "nobody could sell", young, s -> s.with("activity.transactions.h1.sells", 0L)),
        new Case("new-pool", "born a minute ago", young, s -> s.with("about.created_at", "2026-01-01T11:59:00Z")),
        new Case("new-pool", "a bonding curve", young, s -> s.with("launchpad.launchpad_details.completed", false)),
        new Case("new-pool-locked-liquidity", "less is locked", locked, s -> s.with(LOCKED, "50")),
        new Case("new-pool-locked-liquidity", "not known", locked, s -> s.with(LOCKED, null)),
        new Case("new-pool-locked-liquidity", "too small", locked, s -> s.with("about.reserve_usd", 4_000.0)),
        new Case("new-pool-locked-liquidity", "too old", locked,
            s -> s.with("about.created_at", "2025-12-30T10:59:00Z")),
        new Case("price-move", "rose less", rose, s -> s.with(PRICE, "1.19").since(PRICE, 1.0, 1.19)),
        new Case("price-move", "rose long ago", rose, s -> s.since(PRICE, 1.15, 1.25)),
        new Case("price-move", "is half an hour old", rose,
            s -> s.with("about.created_at", "2026-01-01T11:30:00Z")),
        new Case("price-move", "nobody could sell", rose, s -> s.with("activity.transactions.h1.sells", 0L)),
        new Case("price-move", "rose in a puddle", rose, s -> s.with("about.reserve_usd", 900.0)),
        new Case("volume-burst", "as busy as ever", burst, s -> s.with("activity.volume_usd.h6", "2000000")),
        new Case("volume-burst", "too young to have an average", burst,
            s -> s.with("about.created_at", "2026-01-01T11:30:00Z")),
        new Case("liquidity-pulled", "the price fell as much", pulled, s -> s.with(PRICE, "0.0625")),
        new Case("liquidity-pulled", "the price rose, the reserve is an old figure", pulled,
            s -> s.with(RESERVE, "39000").with(PRICE, "16")),
        new Case("liquidity-pulled", "there was little to pull", pulled, s -> s.with("before." + RESERVE, "19000")),
        new Case("liquidity-pulled", "in small steps as the price fell", drained, s -> s.since(PRICE, 17, 1)),
        new Case("suspicious-reports", "fewer than before", reported,
            s -> s.with("before.sentiment.community_sus_report", 9.0)),
        graduated("graduation"),
        graduated("token-graduation"));
  }

  private static List<Case> lists() {
    Consumer<VocabularySample> entered = listing("entered").andThen(s -> s.with("rank", 4));
    Consumer<VocabularySample> climbed = listing("moved").andThen(s -> s.with("rank", 4).with("rank_before", 30));
    return List.of(
        new Case("newly-trending", "another kind of list", entered, s -> s.with("kind", "new")),
        new Case("newly-trending", "at the end of the list", entered, s -> s.with("rank", 15)),
        new Case("newly-trending", "too small", entered, s -> s.with("about.reserve_usd", 500.0)),
        new Case("climbing", "a few places", climbed, s -> s.with("rank_before", 9)),
        new Case("climbing", "far below", climbed, s -> s.with("rank", 15)));
  }

  private static List<Case> markets() {
    Consumer<VocabularySample> stale = s -> s.with("quality.is_stale", true).with("quality.is_anomaly", false)
        .with("converted.converted_volume.usd", 200_000.0);
    Consumer<VocabularySample> apart = s -> s.with("compared", 4).with("spread_percent", 5.0).with("volume_usd", 2e6);
    Consumer<VocabularySample> offPeg = s -> s.with("coin", "tether").with("volume_usd", 1e9).with("median_usd", 0.98);
    Consumer<VocabularySample> funding = s -> s.with("funding.funding_rate", -0.2).with(OPEN_INTEREST, 2e7);
    Consumer<VocabularySample> basis = s -> s.with("basis.index_basis_percentage", -2.5).with(OPEN_INTEREST, 2e7)
        .with("description.contract_type", "perpetual");
    Consumer<VocabularySample> jump = s -> s.with(OPEN_INTEREST, 2e7).with("before." + OPEN_INTEREST, 1.9e7)
        .since(OPEN_INTEREST, 1.5e7, 2e7);
    return List.of(
        new Case("ticker-stale", "fresh", stale, s -> s.with("quality.is_stale", false)),
        new Case("venue-dispersion", "close together", apart, s -> s.with("spread_percent", 1.0)),
        new Case("depeg", "on its peg", offPeg, s -> s.with("median_usd", 0.999)),
        new Case("depeg", "a coin that has no peg", offPeg, s -> s.with("coin", "bitcoin")),
        new Case("funding-extreme", "usual", funding, s -> s.with("funding.funding_rate", 0.01)),
        new Case("basis-divergence", "close", basis, s -> s.with("basis.index_basis_percentage", 0.1)),
        new Case("basis-divergence", "of a dated contract", basis,
            s -> s.with("description.contract_type", "futures")),
        new Case("open-interest-jump", "grew slowly", jump, s -> s.since(OPEN_INTEREST, 1.9e7, 2e7)));
  }

  private static List<Case> treasuries() {
    Consumer<VocabularySample> opened = s -> s.with("appeared.kind", "created").with("position.amount", 5.0)
        .with("valuation.current_value_usd", 1e6);
    Consumer<VocabularySample> withoutValue =
        s -> s.with("appeared.kind", "created").with("position.amount", 5.0);
    Consumer<VocabularySample> bought = s -> s.with("position.amount", 5.0).with("before.position.amount", 4.0)
        .with("position.amount_change", 1.0);
    Consumer<VocabularySample> sold = s -> s.with("position.amount", 4.0).with("before.position.amount", 5.0)
        .with("position.amount_change", -1.0);
    Consumer<VocabularySample> closed = s -> s.with("removed.reason", "closed");
    return List.of(
        new Case("holding-opened", "known before", opened, s -> s.with("appeared", null)),
        new Case("holding-opened", "only its state was lost", opened, s -> s.with("appeared.kind", "reobserved")),
        new Case("holding-opened", "nothing of a coin without a value", withoutValue,
            s -> s.with("position.amount", 0.0)),
        new Case("holding-increased", "sold", bought, s -> s.with("position.amount_change", -1.0)),
        new Case("holding-increased", "back after it was closed", bought, s -> s.with("appeared.kind", "found")),
        new Case("holding-decreased", "bought", sold, s -> s.with("position.amount_change", 1.0)),
        new Case("holding-decreased", "back after it was closed", sold, s -> s.with("appeared.kind", "found")),
        new Case("holding-closed", "only forgotten", closed, s -> s.with("removed.reason", "evicted")));
  }

  private static List<Case> others() {
    Consumer<VocabularySample> platform = s -> s.with("appeared.kind", "created");
    Consumer<VocabularySample> shifted = s -> s.with("coin", "btc").with("change_1h", -1.5).with("change_24h", -1.0);
    Consumer<VocabularySample> blind = s -> s.with("status", "degraded");
    return List.of(
        new Case("new-platform", "was there before", platform, s -> s.with("appeared.kind", "found")),
        new Case("dominance-shift", "small", shifted, s -> s.with("change_1h", 0.2)),
        new Case("coverage-lost", "all is well", blind,
            s -> s.with("status", "polling").with("oldest_observed_at", VocabularySample.NOON.minusSeconds(60))));
  }

  private static Consumer<VocabularySample> pool(double reserve) {
    return s -> s.with("network", "solana").with("about.reserve_usd", reserve)
        .with("activity.transactions.h1.buys", 9L).with("activity.transactions.h1.sells", 6L)
        .with("activity.transactions.m5.buys", 5L).with("activity.transactions.m5.sells", 3L);
  }

  private static Consumer<VocabularySample> listing(String action) {
    return s -> s.with("kind", "trending").with("action", action).with("about.reserve_usd", 40_000.0);
  }

  private static Case graduated(String rule) {
    return new Case(rule, "was complete before",
        s -> s.with("launchpad.launchpad_details.completed", true)
            .with("before.launchpad.launchpad_details.completed", false),
        s -> s.with("before.launchpad.launchpad_details.completed", true));
  }

  private static Rule rule(Case one) {
    return rule(one.rule());
  }

  private static Rule rule(String name) {
    return SHIPPED.rules().stream().filter(rule -> rule.name().equals(name)).findFirst().orElseThrow();
  }

  private static VocabularySample sample(Rule rule, Consumer<VocabularySample> filled) {
    var sample = VocabularySample.of(Objects.requireNonNull(TOPICS.ruleSchemas().get(rule.on())));
    filled.accept(sample);
    return sample;
  }
}
