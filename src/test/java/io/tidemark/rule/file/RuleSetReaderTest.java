package io.tidemark.rule.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.rule.Mute;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleSetReader.SettingOverride;
import io.tidemark.yaml.FilePosition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    assertThat(rule.kind()).isEqualTo(Rule.Kind.CONDITION);
    assertThat(rule.holdFor()).isEqualTo(Duration.ofMinutes(2));
    assertThat(rule.once()).containsExactly("network", "about.name");
    assertThat(rule.settings()).containsEntry("minimum_reserve_usd", 10_000.0).containsEntry("networks", List.of());
    assertThat(rule.history()).isEqualTo(Map.of("price.base_token_price_usd", Duration.ofMinutes(10)));
  }

  @Test
  void writtenRules_areReadAsTheSameRules() {
    var set = read(FALL).versionedAfter(RuleSet.EMPTY);

    assertThat(RuleFormat.parse(RuleFormat.write(set), TOPICS)).isEqualTo(set);
    assertThat(set.rules().getFirst().version()).isEqualTo(1);
  }

  @Test
  void ruleWithChangedContent_hasTheVersionOfTheNewSet() {
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
  void overriddenSetting_isResolved() {
    var override =
        new SettingOverride("fall", "networks", List.of("solana"), true, new FilePosition("tidemark.yaml", 3, 5));
    var set = RuleSetReader.read(List.of(new RuleDocument("mine.yaml", FALL)), TOPICS, List.of(override));

    assertThat(set.rules().getFirst().settings()).containsEntry("networks", List.of("solana"));
    assertThat(RuleFormat.write(set)).contains("networks:\n    - \"solana\"");
  }

  @Test
  void emptyListForANumber_isRejectedWithItsPlace() {
    var override =
        new SettingOverride("fall", "percent", List.of(), true, new FilePosition("tidemark.yaml", 3, 5));

    assertThatThrownBy(
        () -> RuleSetReader.read(List.of(new RuleDocument("mine.yaml", FALL)), TOPICS, List.of(override)))
        .isInstanceOf(RuleException.class)
        .hasMessageContainingAll("tidemark.yaml:3:5", "'' is not a number");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '~', quoteCharacter = '`', value = {
    "about.reserve_usd >= ~ about.reserv_usd >= ~ mine.yaml:7:12: when: about.reserv_usd: unknown; did you mean about.reserve_usd?",
    "settings.percent ~ settings.pecent ~ mine.yaml:6:61: when: settings.pecent: the rule has no such setting; did you mean settings.percent?",
    "settings.minimum_reserve_usd ~ settings.minimum-reserve-usd ~ mine.yaml:7:33: when: settings.minimum: a dash in an expression is a minus; write the setting as settings.minimum_reserve_usd",
    "for: 2m ~ for: 2 ~ mine.yaml:9:10: for: '2' is not a duration such as 30s, 10m, 6h or 30d",
    "severity: warning ~ severity: waring ~ mine.yaml:12:15: severity: 'waring' is not one of info, warning, critical; did you mean warning?",
    "for: 2m ~ fro: 2m ~ mine.yaml:9:5: unknown key 'fro'; did you mean 'for'?",
    "on: pool.changes ~ on: pool.change ~ mine.yaml:3:9: on: 'pool.change' is not one of",
    "for: 2m ~ cooldown: 2m ~ mine.yaml:9:5: cooldown: only rules of kind event can have this key",
    "about.name] ~ about.nme] ~ mine.yaml:10:21: once: about.nme: unknown; did you mean about.name?",
    "{{ about.name }} ~ {{ about.nam }} ~ mine.yaml:15:20: annotations.summary: about.nam: unknown; did you mean about.name?",
    "| change }} ~ | chnge }} ~ mine.yaml",
    "&& (size(settings.networks) == 0 || network in settings.networks) ~ && ~ mine.yaml:8:11: when: the expression ends too early",
    "'10m') ~ '10x') ~ mine.yaml:15:47: annotations.summary: moved(): the second argument must be a duration"})
  void problem_namesItsPositionAndTheNearestRightName(String right, String wrong, String problem) {
    assertThatThrownBy(() -> read(FALL.replace(right, wrong)))
        .isInstanceOf(RuleException.class)
        .hasMessageStartingWith(problem);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '~', value = {
    "severity: x ~ mine.yaml:13:15: labels.severity: in Alertmanager, this name becomes 'severity', which already stands for the severity;",
    "alertname: x ~ mine.yaml:13:15: labels.alertname: in Alertmanager, this name becomes 'alertname', which already stands for the name",
    "subject: x ~ mine.yaml:13:15: labels.subject: in Alertmanager, this name becomes 'subject', which already stands for the key",
    "fingerprint: x ~ mine.yaml:13:15: labels.fingerprint: in Alertmanager, this name becomes",
    "a-b: x, a_b: y ~ mine.yaml:13:23: labels.a_b: in Alertmanager, this name becomes 'a_b', which already stands for 'a-b';",
    "24h: x, _24h: y ~ mine.yaml:13:23: labels._24h: in Alertmanager, this name becomes '_24h', which already stands for '24h';",
    "a.b: x, c: z, a-b: y ~ mine.yaml:13:29: labels.a-b: in Alertmanager, this name becomes 'a_b', which already stands for 'a.b';"})
  void labelsEqualInAlertmanager_failNewRules_notAcceptedOnes(String labels, String problem) {
    var text = FALL.replace("network: \"{{ network }}\"", labels);

    assertThatThrownBy(() -> read(text)).isInstanceOf(RuleException.class).hasMessageStartingWith(problem);
    assertThat(RuleSetReader.readAccepted(new RuleDocument("mine.yaml", text), TOPICS).rules()).hasSize(1);
  }

  @Test
  void annotationsThatAreOneForAlertmanager_areAProblem() {
    assertThatThrownBy(() -> read(FALL + "      runbook-url: a\n      runbook_url: b\n      end-summary: c\n"))
        .hasMessageContaining("mine.yaml:17:7: annotations.runbook_url:")
        .hasMessageContaining(
            "annotations.end-summary: in Alertmanager, this name becomes 'end_summary', which already stands for");
    assertThat(read(FALL + "      runbook-url: a\n      24h: b\n").rules()).hasSize(1);
  }

  @Test
  void allProblems_areInOneMessage() {
    assertThatThrownBy(() -> read(FALL.replace("for: 2m", "fro: 2").replace("about.reserve_usd >=", "about.x >=")))
        .isInstanceOfSatisfying(RuleException.class, e -> assertThat(e.problems()).hasSize(2));
  }

  @Test
  void filesThatOnlyTestsRead_areAProblem_unlessTheRulesWereAccepted() {
    var text = FALL + "rule_files: [other.yaml]\n";

    assertThatThrownBy(() -> read(text)).isInstanceOf(RuleException.class)
        .hasMessageStartingWith("mine.yaml:16:1: rule_files: only 'tidemark rules test' reads the files");
    assertThat(RuleSetReader.readAccepted(new RuleDocument("mine.yaml", text), TOPICS).rules()).hasSize(1);
  }

  @Test
  void ruleWithAWrongName_isReadToItsEnd() {
    assertThatThrownBy(
        () -> read(FALL.replace("name: fall", "name: Big Fall").replace("{{ about.name", "{{ about.nam")))
        .isInstanceOfSatisfying(RuleException.class, e -> assertThat(e.problems()).hasSize(2));
  }

  @Test
  void mutes_areAtMost500_ofAllFilesTogether() {
    assertThat(RuleSetReader.read(List.of(mutes(0, 300), mutes(300, 500)), TOPICS, List.of()).mutes()).hasSize(500);
    assertThatThrownBy(() -> RuleSetReader.read(List.of(mutes(0, 300), mutes(300, 501)), TOPICS, List.of()))
        .isInstanceOf(RuleException.class).hasMessage("300.yaml: there must be at most 500 mutes in total, not 501;"
            + " write one mute for all rules with the same times");
    assertThat(RuleSetReader.readAccepted(mutes(0, 501), TOPICS).mutes()).as("accepted before").hasSize(501);
  }

  @Test
  void longNameOfAMute_failsNewMutes_notAcceptedOnes() {
    var longest = "x".repeat(100);
    var text = "mutes:\n  - name: %s\n    rules: [fall]\n";

    assertThat(read(text.formatted(longest)).mutes()).extracting(Mute::name).containsExactly(longest);
    assertThatThrownBy(() -> read(text.formatted(longest + "x"))).isInstanceOf(RuleException.class)
        .hasMessage("mine.yaml:2:5: mutes[0].name: must have at most 100 characters, not 101; each muted alert repeats"
            + " it, so choose a shorter one");
    var accepted = new RuleDocument("mine.yaml", text.formatted(longest + "x"));
    assertThat(RuleSetReader.readAccepted(accepted, TOPICS).mutes()).hasSize(1);
  }

  private static RuleDocument mutes(int begin, int end) {
    return new RuleDocument(begin + ".yaml", IntStream.range(begin, end)
        .mapToObj(i -> "  - { name: m" + i + ", rules: [fall] }\n").collect(Collectors.joining("", "mutes:\n", "")));
  }

  private static RuleSet read(String text) {
    return RuleSetReader.read(List.of(new RuleDocument("mine.yaml", text)), TOPICS, List.of());
  }
}
