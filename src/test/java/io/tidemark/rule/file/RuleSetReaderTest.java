package io.tidemark.rule.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.yaml.FilePosition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleSetReaderTest {

  static final Map<String, Schema> TOPICS =
      Map.of("pool.changes", PoolChange.getClassSchema(), "pool.listing", PoolListing.getClassSchema());

  static final String FALL = """
      rules:
        - name: fall
          on: pool.changes
          kind: condition
          when: |
            moved(price.base_token_price_usd, settings.within) < -settings.percent
              && about.reserve_usd >= settings.minimum_reserve_usd
              && (size(settings.networks) == 0 || network in settings.networks)
          for: 2m
          once: [network, about.name]
          settings: { percent: 15, within: 10m, minimum-reserve-usd: 10_000, networks: [] }
          severity: warning
          labels: { network: "{{ network }}" }
          annotations:
            summary: "{{ about.name }} fell {{ moved(price.base_token_price_usd, '10m') | change }}"
      """;

  @Test
  void rule_isReadWithItsSettings() {
    var rule = read(FALL).rules().getFirst();

    assertThat(rule.kind()).isEqualTo(Rule.Kind.condition);
    assertThat(rule.holdFor()).isEqualTo(Duration.ofMinutes(2));
    assertThat(rule.once()).containsExactly("network", "about.name");
    assertThat(rule.settings()).containsEntry("minimum_reserve_usd", 10_000.0).containsEntry("networks", List.of());
    assertThat(rule.history()).isEqualTo(Map.of("price.base_token_price_usd", Duration.ofMinutes(10)));
  }

  @Test
  void rulesAsTextInForce_areTheSameRules() {
    var set = read(FALL).versionedAfter(RuleSet.EMPTY);

    assertThat(RuleSet.parse(set.yaml(), TOPICS).yaml()).isEqualTo(set.yaml());
    assertThat(set.rules().getFirst().version()).isEqualTo(1);
  }

  @Test
  void ruleWhoseContentChanged_hasTheVersionOfTheNewSet() {
    var first = read(FALL + FALL.substring(7).replace("name: fall", "name: other")).versionedAfter(RuleSet.EMPTY);
    var second = read((FALL + FALL.substring(7).replace("name: fall", "name: other").replace("2m", "3m")))
        .versionedAfter(first);

    assertThat(second.version()).isEqualTo(2);
    assertThat(second.rules()).extracting(Rule::version).containsExactly(1L, 2L);
  }

  @Test
  void sameRules_stayTheSameSet() {
    var first = read(FALL).versionedAfter(RuleSet.EMPTY);

    assertThat(read(FALL).versionedAfter(first)).isSameAs(first);
  }

  @Test
  void settingChosenElsewhere_isResolved() {
    var choice =
        new SettingOverride("fall", "networks", List.of("solana"), true, new FilePosition("tidemark.yaml", 3, 5));
    var set = RuleSet.read(List.of(new RuleDocument("mine.yaml", FALL)), TOPICS, List.of(choice));

    assertThat(set.rules().getFirst().settings()).containsEntry("networks", List.of("solana"));
    assertThat(set.yaml()).contains("networks:\n    - \"solana\"");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '~', quoteCharacter = '`', value = {
    "about.reserve_usd >= ~ about.reserv_usd >= ~ mine.yaml:7:12: when: about.reserv_usd: unknown; did you mean about.reserve_usd?",
    "settings.percent ~ settings.pecent ~ mine.yaml:6:61: when: settings.pecent: the rule has no such setting; did you mean settings.percent?",
    "settings.minimum_reserve_usd ~ settings.minimum-reserve-usd ~ mine.yaml:7:33: when: settings.minimum: a dash is a minus here; the setting is written settings.minimum_reserve_usd",
    "for: 2m ~ for: 2 ~ mine.yaml:9:5: for: '2' stands where a duration such as 30s, 10m, 6h or 30d is due",
    "severity: warning ~ severity: waring ~ mine.yaml:12:5: severity: 'waring' is none of info, warning, critical; did you mean warning?",
    "for: 2m ~ fro: 2m ~ mine.yaml:9:5: fro: unknown key; did you mean for?",
    "on: pool.changes ~ on: pool.change ~ mine.yaml:3:5: on: 'pool.change' is none of",
    "for: 2m ~ cooldown: 2m ~ mine.yaml:9:5: cooldown: is of rules of kind event, and this is one of kind condition",
    "about.name] ~ about.nme] ~ mine.yaml:10:21: once: about.nme: unknown; did you mean about.name?",
    "{{ about.name }} ~ {{ about.nam }} ~ mine.yaml:15:20: annotations.summary: about.nam: unknown; did you mean about.name?",
    "| change }} ~ | chnge }} ~ mine.yaml",
    "'10m') ~ '10x') ~ mine.yaml:15:47: annotations.summary: moved: its second part is a duration"})
  void whatIsWrong_isToldWithPlaceAndRightName(String right, String wrong, String problem) {
    assertThatThrownBy(() -> read(FALL.replace(right, wrong)))
        .isInstanceOf(RuleException.class)
        .hasMessageStartingWith(problem);
  }

  @Test
  void allThatIsWrong_isToldAtOnce() {
    assertThatThrownBy(() -> read(FALL.replace("for: 2m", "fro: 2").replace("about.reserve_usd >=", "about.x >=")))
        .isInstanceOfSatisfying(RuleException.class, e -> assertThat(e.problems()).hasSize(2));
  }

  private static RuleSet read(String text) {
    return RuleSet.read(List.of(new RuleDocument("mine.yaml", text)), TOPICS, List.of());
  }
}
