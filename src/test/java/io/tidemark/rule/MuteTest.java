package io.tidemark.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.AvroSettings;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mutes in their zone, over midnight and over the change of the clocks. */
class MuteTest {
  static {
    AvroSettings.apply();
  }

  static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");
  static final Alert ALERT =
      Alert.newBuilder().setRule("big-fall").setSeverity("info").setLabels(Map.of("network", "eth")).build();

  @ParameterizedTest
  @CsvSource({
    "22:00, 07:00, 2026-03-27T20:59:59Z, false", // Friday before the night
    "22:00, 07:00, 2026-03-27T21:00:00Z, true",
    "22:00, 07:00, 2026-03-28T05:59:59Z, true", // Saturday morning belongs to Friday
    "22:00, 07:00, 2026-03-28T06:00:00Z, false",
    "22:00, 07:00, 2026-03-28T21:30:00Z, false", // Saturday night
    "22:00, 07:00, 2026-04-03T20:00:00Z, true", // summer time
    "12:00, 13:00, 2026-03-27T11:59:00Z, true",
    "12:00, 13:00, 2026-03-27T12:00:00Z, false",
    "00:00, 00:00, 2026-03-26T23:00:00Z, true", // the whole Friday
    "00:00, 00:00, 2026-03-27T23:00:00Z, false"})
  void alertOnAFriday_isMutedBetweenTheTimes(LocalTime from, LocalTime to, Instant at, boolean muted) {
    assertThat(friday(List.of("big-fall"), Map.of(), from, to).mutes(ALERT, at)).isEqualTo(muted);
  }

  @ParameterizedTest
  @CsvSource({"02:30, 03:00", "02:30, 03:15"}) // 02:30 is 03:30 in this night
  void mutesThatEndBeforeTheyBegin_areEmpty(LocalTime from, LocalTime to) {
    var mute = mute(Set.of(DayOfWeek.values()), List.of("big-fall"), Map.of(), from, to);

    assertThat(mute.mutes(ALERT, Instant.parse("2026-03-29T01:15:00Z"))).isFalse();
    assertThat(mute.mutes(ALERT, Instant.parse("2026-03-29T01:30:00Z"))).isFalse();
    assertThat(mute.mutes(ALERT, Instant.parse("2026-03-28T01:45:00Z"))).isTrue();
    assertThat(mute.nextChangeAfter(Instant.parse("2026-03-28T12:00:00Z"))).isEqualTo("2026-03-29T01:30:00Z");
  }

  @Test
  void otherRuleOrLabel_isNotMuted() {
    var at = Instant.parse("2026-03-27T12:00:00Z");

    assertThat(friday(List.of("other"), Map.of(), LocalTime.MIN, LocalTime.MIN).mutes(ALERT, at)).isFalse();
    assertThat(friday(List.of(), Map.of("network", "base"), LocalTime.MIN, LocalTime.MIN).mutes(ALERT, at)).isFalse();
    assertThat(friday(List.of(), Map.of("network", "eth"), LocalTime.MIN, LocalTime.MIN).mutes(ALERT, at)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-28T20:00:00Z, 2026-03-28T21:00:00Z",
    "2026-03-28T21:00:00Z, 2026-03-29T01:30:00Z", // 02:30 is not on the clock in this night: 03:30 is
    "2026-03-29T01:30:00Z, 2026-03-29T20:00:00Z",
    "2026-10-24T20:00:00Z, 2026-10-25T00:30:00Z", // 02:30 is twice on the clock: the first one counts
    "2026-10-25T00:30:00Z, 2026-10-25T21:00:00Z"})
  void nextChange_isWhereTheMuteBeginsOrEnds(Instant time, Instant next) {
    var mute =
        mute(Set.of(DayOfWeek.values()), List.of("big-fall"), Map.of(), LocalTime.of(22, 0), LocalTime.of(2, 30));

    assertThat(mute.nextChangeAfter(time)).isEqualTo(next);
    assertThat(mute.mutes(ALERT, next)).isNotEqualTo(mute.mutes(ALERT, next.minusMillis(1)));
    assertThat(mute.mutes(ALERT, time)).isEqualTo(mute.mutes(ALERT, next.minusMillis(1)));
  }

  private static Mute friday(List<String> rules, Map<String, String> labels, LocalTime from, LocalTime to) {
    return mute(Set.of(DayOfWeek.FRIDAY), rules, labels, from, to);
  }

  private static Mute mute(
      Set<DayOfWeek> days, List<String> rules, Map<String, String> labels, LocalTime from, LocalTime to) {
    return new Mute("mine", rules, List.of(), labels, days, from, to, ZURICH);
  }
}
