package io.tidemark.rule.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.event.Watch;
import io.tidemark.rule.Mute;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleAnnouncements.Announcement;
import io.tidemark.rule.file.RulesInForce.AppliedFile;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RuleAnnouncementsTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final Duration RETENTION = Duration.ofDays(30);
  static final RuleSet BASE = RuleSetReader.read(List.of(text("base", "0.0")), RuleSetReaderTest.TOPICS, List.of());

  final RuleAnnouncements announcements = new RuleAnnouncements(BASE, RuleSetReaderTest.TOPICS, RETENTION);

  @Test
  void rulesOfTheConfiguration_areAnnouncedOnce() {
    assertThat(announcements.takeDue(NOON)).extracting(Announcement::kind, Announcement::version).containsExactly(
        tuple("rules", 1L));
    assertThat(announcements.takeDue(NOON.plusSeconds(1))).isEmpty();
  }

  @Test
  void nextOwner_announcesNothingThatIsInForce() {
    var next = new RuleAnnouncements(BASE, RuleSetReaderTest.TOPICS, RETENTION);
    next.apply(repeated(announcements.takeDue(NOON).getFirst()));

    assertThat(next.takeDue(NOON.plusSeconds(1))).isEmpty();
  }

  @Test
  void otherHalfOfTheRetention_announcesEverythingAgain() {
    var first = announcements.takeDue(NOON);

    assertThat(announcements.takeDue(NOON.plus(RETENTION.dividedBy(2)))).isEqualTo(first);
  }

  @Test
  void appliedMutes_areInForceUntilTheyAreDropped() {
    announcements.takeDue(NOON);
    announcements.apply(command("rules", "nights", "mutes: [ { name: night, rules: [base], from: \"22:00\" } ]"));

    var announced = announcements.takeDue(NOON);
    assertThat(announced).extracting(Announcement::version).containsExactly(2L);
    assertThat(RuleFormat.parse(announced.getFirst().text(), RuleSetReaderTest.TOPICS).mutes())
        .isEqualTo(announcements.inForce().mutes()).extracting(Mute::name).containsExactly("night");

    announcements.apply(command("rules", "nights", null));

    assertThat(announcements.takeDue(NOON)).extracting(Announcement::version).containsExactly(3L);
    assertThat(announcements.inForce().mutes()).isEmpty();
  }

  @Test
  void appliedRules_areInForceWithAHigherVersion() {
    announcements.takeDue(NOON);
    announcements.apply(command("rules", "mine", text("mine", "1.0").text()));

    assertThat(announcements.takeDue(NOON)).extracting(Announcement::version).containsExactly(2L);
    assertThat(announcements.inForce().rules()).extracting(Rule::name, Rule::version).containsExactly(
        tuple("base", 1L), tuple("mine", 2L));
  }

  @Test
  void commandOfASlowClock_isLaterThanAppliedFilesAndFailures() {
    var file = new AppliedFile("ann", NOON, "", RuleSet.EMPTY);
    var failedAt = NOON.plusSeconds(60);
    var failure = new RuleFailure("mine", "", 2, "pool.changes", "eth_0xa", NOON, failedAt, "an error");
    var inForce = new RulesInForce(RuleSet.EMPTY, Map.of("mine", file), List.of(failure));

    assertThat(inForce.commandTime(NOON.minusSeconds(300))).isEqualTo(failedAt.plusMillis(1));
    assertThat(inForce.commandTime(NOON.plusSeconds(300))).isEqualTo(NOON.plusSeconds(300));
  }

  @Test
  void appliedRuleNamedAsAConfiguredOne_replacesItUntilDropped() {
    announcements.apply(command("rules", "mine", text("base", "7.0").text()));
    announcements.takeDue(NOON);

    assertThat(announcements.inForce().rules()).singleElement().matches(rule -> rule.when().toString().contains("7.0"));
    announcements.apply(command("rules", "mine", null));
    announcements.takeDue(NOON);
    assertThat(announcements.inForce().rules()).singleElement().matches(rule -> rule.version() == 2);
  }

  @Test
  void fileToApply_isCheckedAgainstTheRulesInForce() {
    announcements.apply(command("rules", "mine", text("other", "1.0").text()));
    announcements.takeDue(NOON);
    var current = announcements.current();

    var replacing = current.check("new", text("base", "7.0"), RuleSetReaderTest.TOPICS);
    var again = current.check("mine", text("other", "7.0"), RuleSetReaderTest.TOPICS);

    assertThat(current.replacedBy("new", replacing)).containsExactly("base");
    assertThat(current.replacedBy("mine", again)).isEmpty();
    assertThatThrownBy(() -> current.check("new", text("other", "7.0"), RuleSetReaderTest.TOPICS))
        .isInstanceOf(RuleException.class)
        .hasMessage("other: other cannot be applied, because the applied file 'mine' has the same names;"
            + " drop that file first");
    announcements.apply(command("rules", "nights", "mutes: [ { name: night, rules: [base], from: \"22:00\" } ]"));
    var mute = new RuleDocument("days", "mutes: [ { name: night, rules: [base], from: \"23:00\" } ]");
    assertThatThrownBy(() -> announcements.current().check("days", mute, RuleSetReaderTest.TOPICS))
        .hasMessageContaining("mute night cannot be applied, because the applied file 'nights' has the same names");
    var large = new RuleDocument("large", text("large", "1.0").text() + "#".repeat(490_000));
    for (var file : List.of("w", "x", "y", "z")) {
      announcements.apply(command("rules", file, text(file, "1.0").text() + "#".repeat(490_000)));
    }
    assertThatThrownBy(() -> announcements.current().check("large", large, RuleSetReaderTest.TOPICS))
        .hasMessageContaining("at most 100 files with 2000000 characters in total can be applied");
    announcements.current().check("z", new RuleDocument("z", text("z", "2.0").text()), RuleSetReaderTest.TOPICS);
    assertThat(current.fileOf("other")).isEqualTo("mine");
    assertThat(current.fileOf("base")).isNull();
    assertThat(current.applied("mine").who()).isEqualTo("me");
    assertThatThrownBy(() -> current.applied("min")).isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("mine");
  }

  @Test
  void commandForAFile_isCarriedOut_onceWhatTheFileLostIsOutOfForce() {
    announcements.apply(command("rules", "mine", """
        rules: [ { name: a, on: pool.changes, when: changed.price, annotations: { summary: a } },
                 { name: b, on: pool.changes, when: changed.price, annotations: { summary: b } } ]
        mutes: [ { name: night, rules: [a], from: "22:00" } ]
        """));
    announcements.apply(command("rules", "same", text("base", "0.0").text()));
    announcements.takeDue(NOON);
    var before = announcements.current();
    var both = before.applied("mine").rules();
    var onlyA = new RuleSet(0, both.rules().subList(0, 1), both.mutes());
    var noMute = new RuleSet(0, both.rules(), List.of());
    var all = announcements.inForce();
    var withoutA = all.without(List.of("a"));

    assertThat(List.of(onlyA, noMute, RuleSet.EMPTY))
        .allSatisfy(wanted -> assertThat(before.carriedOut("mine", wanted, () -> BASE)).rejects(all));
    assertThat(before.carriedOut("mine", onlyA, () -> BASE)).accepts(all.without(List.of("b"))).rejects(withoutA);
    assertThat(before.carriedOut("mine", noMute, () -> BASE)).accepts(new RuleSet(9, all.rules(), List.of()));
    assertThat(before.carriedOut("mine", RuleSet.EMPTY, () -> BASE)).rejects(withoutA).accepts(BASE);
    assertThat(before.carriedOut("same", RuleSet.EMPTY, () -> BASE)).as("as configured").accepts(all);
  }

  /** As with a copy of the shipped rules in which one threshold differs. */
  @Test
  void dropOfRulesThatAreAlsoConfigured_isCarriedOut_ifTheConfigurationIsUnknown() {
    announcements.apply(
        command("rules", "mine", text("base", "0.0").text() + text("a", "1.0").text().replace("rules:\n", "")));
    announcements.takeDue(NOON);
    var before = announcements.current();
    announcements.apply(command("rules", "mine", null));
    announcements.takeDue(NOON);

    assertThat(before.carriedOut("mine", RuleSet.EMPTY, () -> null))
        .rejects(before.rules()).accepts(announcements.inForce());
    assertThat(before.carriedOut("mine", before.rules().without(List.of("base")), () -> null)).as("a is not in force")
        .rejects(announcements.inForce());
  }

  @Test
  void invalidRules_areNotInForce() {
    announcements.apply(command("rules", "mine", "rules: [ { name: x } ]"));

    announcements.takeDue(NOON);

    assertThat(announcements.inForce().rules()).extracting(Rule::name).containsExactly("base");
  }

  @Test
  void rulesThatExceedALimitTogether_areNotInForce() {
    announcements.takeDue(NOON);
    announcements.apply(command("rules", "one", history("one", "price.base_token_price_usd")));
    assertThat(announcements.takeDue(NOON)).hasSize(1);
    announcements
        .apply(command("rules", "two", history("two", "price.quote_token_price_usd", "liquidity.reserve_in_usd",
            "price.base_token_price_native_currency", "price.quote_token_price_native_currency")));

    assertThat(announcements.takeDue(NOON)).isEmpty();
    assertThat(announcements.inForce().rules()).extracting(Rule::name).containsExactly("base", "one");
    assertThat(announcements.takeDue(NOON.plus(RETENTION.dividedBy(2)))).as("the rules before are announced again")
        .hasSize(1);
  }

  @Test
  void announcedRules_canBeRead() {
    announcements.apply(command("rules", "one", history("one", "price.base_token_price_usd")));

    var announced = announcements.takeDue(NOON).getFirst();

    assertThat(RuleFormat.parse(announced.text(), RuleSetReaderTest.TOPICS)).isEqualTo(announcements.inForce());
  }

  @Test
  void failedRule_isOutOfForceUntilItsContentChanges() {
    announcements.apply(command("rules", "mine", text("mine", "1.0").text()));
    announcements.takeDue(NOON);
    var failure = failure(announcements.inForce().find("mine"));
    announcements.apply(command("rule-failure", "mine", failure.text()));

    var due = announcements.takeDue(NOON);

    assertThat(due).extracting(Announcement::kind).containsExactly("rule-failure", "rules");
    assertThat(RuleFailure.parse(due.getFirst().text())).isEqualTo(failure);
    assertThat(announcements.inForce().rules()).extracting(Rule::name).containsExactly("base");
    assertThat(announcements.outOfForce()).containsExactly(failure);
    assertThat(announcements.takeDue(NOON.plusSeconds(1))).isEmpty();

    announcements.apply(command("rules", "mine", text("mine", "2.0").text()));
    announcements.takeDue(NOON);
    assertThat(announcements.inForce().rules()).extracting(Rule::name).containsExactly("base", "mine");
    assertThat(announcements.outOfForce()).isEmpty();
  }

  @Test
  void failedRuleThatIsAppliedAgain_isInForceWithANewVersion() {
    announcements.apply(command("rules", "mine", text("mine", "1.0").text()));
    announcements.takeDue(NOON);
    var before = announcements.inForce().find("mine");
    announcements.apply(command("rule-failure", "mine", failure(before).text()));
    announcements.takeDue(NOON);

    var again = command("rules", "mine", text("mine", "1.0").text());
    again.setAt(announcements.current().commandTime(NOON.minusSeconds(120)));
    announcements.apply(again);
    announcements.takeDue(NOON);

    assertThat(announcements.inForce().find("mine").version()).isGreaterThan(before.version());
    assertThat(announcements.outOfForce()).isEmpty();
  }

  @Test
  void nextOwner_keepsAFailedRuleOutOfForce_inAnyCommandOrder() {
    var mine = command("rules", "mine", text("mine", "1.0").text());
    announcements.apply(mine);
    announcements.takeDue(NOON);
    var failed = command("rule-failure", "mine", failure(announcements.inForce().find("mine")).text());
    announcements.apply(failed);
    var announced = announcements.takeDue(NOON).stream().map(RuleAnnouncementsTest::repeated).toList();
    var next = new RuleAnnouncements(BASE, RuleSetReaderTest.TOPICS, RETENTION);
    Stream.concat(Stream.of(failed), Stream.concat(announced.reversed().stream(), Stream.of(mine)))
        .forEach(next::apply);

    assertThat(next.takeDue(NOON)).extracting(Announcement::kind).containsExactly("rule-failure");
    assertThat(next.inForce()).isEqualTo(announcements.inForce());
  }

  @Test
  void failedRuleOfTheConfiguration_isKnownToReadersOfTheCluster() {
    announcements.takeDue(NOON);
    var failed = command("rule-failure", "base", failure(announcements.inForce().find("base")).text());
    announcements.apply(failed);
    var reader = new RuleAnnouncements(null, RuleSetReaderTest.TOPICS, RETENTION);
    reader.apply(failed);
    announcements.takeDue(NOON).forEach(each -> reader.apply(repeated(each)));

    assertThat(reader.outOfForce()).extracting(RuleFailure::rule).containsExactly("base");
    assertThat(reader.inForce().rules()).isEmpty();
  }

  @Test
  void unreadableFailure_isIgnored() {
    announcements.apply(command("rule-failure", "base", "no yaml: ["));
    announcements.takeDue(NOON);

    assertThat(announcements.inForce().rules()).extracting(Rule::name).containsExactly("base");
  }

  @Test
  void acceptedRuleThatThisVersionRefuses_isLeftOut() {
    var hostile = text("mine", "1.0").text()
        .replaceFirst("when: .*", Matcher.quoteReplacement("when: 'about.name.matches(\"((a{99}){99}){99}\")'"));
    var both = hostile + text("good", "2.0").text().replace("rules:\n", "");
    announcements.apply(command("rules", "mine", both));
    announcements.takeDue(NOON);

    assertThat(announcements.inForce().rules()).extracting(Rule::name).containsExactly("base", "good");
  }

  @Test
  void silence_isAnnouncedUntilItEnds() {
    announcements.takeDue(NOON);
    var silence = new Silence("s1", "base", null, Map.of(), NOON, NOON.plusSeconds(60), "me", "");
    announcements.apply(command("silence", "s1", RuleFormat.writeSilences(0, List.of(silence))));

    var announced = announcements.takeDue(NOON).getFirst();

    assertThat(announced.kind()).isEqualTo("silences");
    assertThat(RuleFormat.parseSilences(announced.text())).containsExactly(silence);
    announcements.apply(command("rules", "mine", text("mine", "1.0").text()));
    assertThat(announcements.takeDue(NOON.plusSeconds(60))).filteredOn(each -> each.kind().equals("silences"))
        .singleElement().matches(each -> RuleFormat.parseSilences(each.text()).isEmpty() && each.version() == 2);
  }

  @Test
  void silenceOfAFastClock_beginsWhenItIsAnnounced() {
    var silence = new Silence("s1", "base", null, Map.of(), NOON.plusSeconds(180), NOON.plusSeconds(600), "me", "");
    announcements.apply(command("silence", "s1", RuleFormat.writeSilences(0, List.of(silence))));

    var announced = announcements.takeDue(NOON).getLast();

    assertThat(RuleFormat.parseSilences(announced.text())).extracting(Silence::from).containsExactly(NOON);
    announcements.apply(command("rules", "mine", text("mine", "1.0").text()));
    assertThat(announcements.takeDue(NOON.plusSeconds(60))).extracting(Announcement::kind).containsExactly("rules");
  }

  @Test
  void silenceOfAFastClock_lastsNoLongerThanAllowed() {
    var from = NOON.plusSeconds(180);
    var silence = new Silence("s1", "base", null, Map.of(), from, from.plus(Silence.LONGEST), "me", "");
    announcements.apply(command("silence", "s1", RuleFormat.writeSilences(0, List.of(silence))));

    assertThat(RuleFormat.parseSilences(announcements.takeDue(NOON).getLast().text())).extracting(Silence::until)
        .containsExactly(NOON.plus(Silence.LONGEST));
  }

  @Test
  void silencesThatNoRecordHolds_areNotInForce_theNewestFirst() {
    for (var each = 0; each < 100; each++) {
      var id = "s%02d".formatted(each);
      announcements.apply(command("silence", id, RuleFormat.writeSilences(0, List.of(large(id, each)))));
    }
    announcements.apply(command("silence", "small",
        RuleFormat.writeSilences(0, List.of(new Silence("small", "base", null, Map.of(), NOON.plusSeconds(200),
            NOON.plusSeconds(600), "me", "")))));

    var announced = announcements.takeDue(NOON.plusSeconds(300)).getLast();

    assertThat(announced.text().getBytes(UTF_8)).hasSizeBetween(400_000, 500_000);
    assertThat(RuleFormat.parseSilences(announced.text())).extracting(Silence::id)
        .startsWith("s00", "s01").endsWith("small").doesNotContain("s99");
  }

  @Test
  void silenceWithoutRoom_isRejected() {
    var silence = new Silence("s1", "base", null, Map.of(), NOON, NOON.plusSeconds(60), "me", "");
    var large = large("s2", 0);

    assertThat(RuleAnnouncements.requireWithinLimits(silence, Collections.nCopies(499, silence))).isEqualTo(silence);
    assertThatThrownBy(() -> RuleAnnouncements.requireWithinLimits(silence, Collections.nCopies(500, silence)))
        .hasMessageContaining("already 500 silences");
    assertThatThrownBy(() -> RuleAnnouncements.requireWithinLimits(silence, Collections.nCopies(100, large)))
        .hasMessageContaining("at most 500000 are allowed; end some first");
  }

  private static Silence large(String id, int second) {
    var labels =
        IntStream.range(0, 10).boxed().collect(Collectors.toMap(each -> "label" + each, each -> "l".repeat(500)));
    return new Silence(id, "base", null, labels, NOON.plusSeconds(second), NOON.plusSeconds(600), "me",
        "c".repeat(500));
  }

  @Test
  void silenceThatIsTooLong_isRejected() {
    assertThatThrownBy(
        () -> new Silence("s1", "base", null, Map.of(), NOON, NOON.plus(Duration.ofDays(366)), "me", ""))
        .hasMessageContaining("at most 365 days");
    assertThatThrownBy(
        () -> new Silence("s1", "base", null, Map.of(), NOON, NOON.plusSeconds(60), "me", "c".repeat(501)))
        .hasMessageContaining("comment: must be a text of at most 500 characters");
  }

  @Test
  void silenceOfEverything_isRejected() {
    assertThatThrownBy(
        () -> new Silence("s1", null, null, Map.of(), NOON, NOON.plusSeconds(60), "me", ""))
        .hasMessageContaining("mute every alert");
  }

  private static RuleFailure failure(Rule rule) {
    return new RuleFailure(rule.name(), RuleFailure.content(rule), rule.version(), "test.pool.changes", "solana_A",
        NOON,
        NOON, "needs more steps: \"than\" there are");
  }

  private static Watch repeated(Announcement announcement) {
    return command("in-force", announcement.kind(), announcement.text());
  }

  private static Watch command(String kind, String name, @Nullable String text) {
    return Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho("me").setAt(NOON).build();
  }

  /** A rule that needs a day of history of each figure. */
  private static String history(String name, String... figures) {
    var when = Stream.of(figures).map("moved(%s, \"24h\") > 1.0"::formatted).collect(Collectors.joining(" && "));
    return text(name, "1.0").text().replaceFirst("when: .*", Matcher.quoteReplacement("when: '" + when + "'"));
  }

  private static RuleDocument text(String name, String price) {
    return new RuleDocument(name, """
        rules:
          - name: %s
            on: pool.changes
            when: price.base_token_price_usd > %s
            annotations: { summary: "{{ about.name }}" }
        """.formatted(name, price));
  }
}
