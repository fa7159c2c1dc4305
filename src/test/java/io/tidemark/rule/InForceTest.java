package io.tidemark.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.event.Watch;
import io.tidemark.rule.InForce.Announcement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InForceTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final Duration RETENTION = Duration.ofDays(30);
  static final RuleSet BASE = RuleSet.read(List.of(text("base", "0.0")), RuleSetTest.TOPICS, List.of());

  final InForce inForce = new InForce(BASE, RuleSetTest.TOPICS, RETENTION);

  @Test
  void rulesOfTheConfiguration_areAnnouncedOnce() {
    assertThat(inForce.due(NOON)).extracting(Announcement::kind, Announcement::version).containsExactly(
        tuple("rules", 1L));
    assertThat(inForce.due(NOON.plusSeconds(1))).isEmpty();
  }

  @Test
  void nextOwner_announcesNothingThatIsInForce() {
    var next = new InForce(BASE, RuleSetTest.TOPICS, RETENTION);
    next.hear(told(inForce.due(NOON).getFirst()));

    assertThat(next.due(NOON.plusSeconds(1))).isEmpty();
  }

  @Test
  void otherHalfOfTheRetention_hearsAllOfItAgain() {
    var first = inForce.due(NOON);

    assertThat(inForce.due(NOON.plus(RETENTION.dividedBy(2)))).isEqualTo(first);
  }

  @Test
  void appliedRules_areInForceWithAHigherVersion() {
    inForce.due(NOON);
    inForce.hear(word("rules", "mine", text("mine", "1.0").text()));

    assertThat(inForce.due(NOON)).extracting(Announcement::version).containsExactly(2L);
    assertThat(inForce.announced().rules()).extracting(Rule::name, Rule::version).containsExactly(
        tuple("base", 1L), tuple("mine", 2L));
  }

  @Test
  void appliedRuleWithANameOfTheConfiguration_replacesIt_untilItsFileIsDropped() {
    inForce.hear(word("rules", "mine", text("base", "7.0").text()));
    inForce.due(NOON);

    assertThat(inForce.announced().rules()).singleElement().matches(rule -> rule.when().toString().contains("7.0"));
    inForce.hear(word("rules", "mine", null));
    inForce.due(NOON);
    assertThat(inForce.announced().rules()).singleElement().matches(rule -> rule.version() == 2);
  }

  @Test
  void rulesThatAreWrong_areNotInForce() {
    inForce.hear(word("rules", "mine", "rules: [ { name: x } ]"));

    inForce.due(NOON);

    assertThat(inForce.announced().rules()).extracting(Rule::name).containsExactly("base");
  }

  @Test
  void rulesThatAreTooMuchTogether_areNotInForce() {
    inForce.due(NOON);
    inForce.hear(word("rules", "one", history("one", "price.base_token_price_usd")));
    assertThat(inForce.due(NOON)).hasSize(1);
    inForce.hear(word("rules", "two", history("two", "price.quote_token_price_usd", "liquidity.reserve_in_usd",
        "price.base_token_price_native_currency", "price.quote_token_price_native_currency")));

    assertThat(inForce.due(NOON)).isEmpty();
    assertThat(inForce.announced().rules()).extracting(Rule::name).containsExactly("base", "one");
    assertThat(inForce.due(NOON.plus(RETENTION.dividedBy(2)))).as("those before are told again").hasSize(1);
  }

  @Test
  void announcedRules_canBeRead() {
    inForce.hear(word("rules", "one", history("one", "price.base_token_price_usd")));

    var announced = inForce.due(NOON).getFirst();

    assertThat(RuleSet.parse(announced.text(), RuleSetTest.TOPICS).yaml()).isEqualTo(inForce.announced().yaml());
  }

  @Test
  void silence_isAnnouncedUntilItIsOver() {
    inForce.due(NOON);
    var silence = new Silence("s1", "base", null, Map.of(), NOON, NOON.plusSeconds(60), "me", "");
    inForce.hear(word("silence", "s1", Silences.yaml(0, List.of(silence))));

    var announced = inForce.due(NOON).getFirst();

    assertThat(announced.kind()).isEqualTo("silences");
    assertThat(Silences.parse(announced.text())).containsExactly(silence);
    inForce.hear(word("rules", "mine", text("mine", "1.0").text()));
    assertThat(inForce.due(NOON.plusSeconds(60))).filteredOn(each -> each.kind().equals("silences"))
        .singleElement().matches(each -> Silences.parse(each.text()).isEmpty() && each.version() == 2);
  }

  @Test
  void silenceOfEverything_isRefused() {
    assertThatThrownBy(
        () -> new Silence("s1", null, null, Map.of(), NOON, NOON.plusSeconds(60), "me", ""))
        .hasMessageContaining("would silence all");
  }

  private static Watch told(Announcement announcement) {
    return word("in-force", announcement.kind(), announcement.text());
  }

  private static Watch word(String kind, String name, @Nullable String text) {
    return Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho("me").setAt(NOON).build();
  }

  /** A rule that asks for a day's history of figures. */
  private static String history(String name, String... figures) {
    var when = Stream.of(figures).map("moved(%s, \"24h\") > 1.0"::formatted).collect(Collectors.joining(" && "));
    return text(name, "1.0").text().replaceFirst("when: .*", Matcher.quoteReplacement("when: '" + when + "'"));
  }

  private static RuleText text(String name, String price) {
    return new RuleText(name, """
        rules:
          - name: %s
            on: pool.changes
            when: price.base_token_price_usd > %s
            annotations: { summary: "{{ about.name }}" }
        """.formatted(name, price));
  }
}
