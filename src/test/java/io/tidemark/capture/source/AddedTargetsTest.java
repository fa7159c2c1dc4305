package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.app.config.Settings;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Watch;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class AddedTargetsTest {

  static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  static final String CHECKSUMMED = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
  static final String POOLS = "/networks/eth/pools/";
  static final String INCLUDED = "?include=base_token,dex,quote_token";

  final AddedTargets added = targets(20);

  @Test
  void addedTarget_isWatchedUntilItIsRemoved() {
    added.apply(command("/networks/eth/pools/" + CHECKSUMMED, "{ pages: 1, weight: 3 }"));

    assertThat(names(NOW)).containsExactly(POOLS + CHECKSUMMED.toLowerCase(Locale.ROOT) + INCLUDED);
    assertThat(added.watched(NOW).getFirst().weight()).isEqualTo(3);
    assertThat(added.isWatched(POOLS + CHECKSUMMED.toLowerCase(Locale.ROOT) + INCLUDED, NOW)).isTrue();
    added.apply(command("/networks/eth/pools/" + CHECKSUMMED, null));
    assertThat(names(NOW)).isEmpty();
    assertThat(added.isWatched(POOLS + CHECKSUMMED.toLowerCase(Locale.ROOT) + INCLUDED, NOW)).isFalse();
  }

  @Test
  void targetForATime_endsWithIt() {
    added.apply(command("/global/x", "{}"));
    added.apply(command(POOLS + "0xab", AddedTarget.text(1, 1, NOW.plusSeconds(60))));

    assertThat(names(NOW.plusSeconds(59))).hasSize(1);
    assertThat(added.removeExpired(NOW.plusSeconds(59))).isEmpty();
    assertThat(names(NOW.plusSeconds(60))).isEmpty();
    assertThat(added.removeExpired(NOW.plusSeconds(90))).containsExactly(POOLS + "0xab");
  }

  /** As by a cron job that repeats {@code watch add}. */
  @Test
  void targetAddedAgainRightAfterItsEnd_isNotRemoved() {
    added.apply(command(POOLS + "0xab", AddedTarget.text(1, 1, NOW)));
    assertThat(added.removeExpired(NOW.plusSeconds(2))).as("before the new command is read").isEmpty();
    added.apply(command(POOLS + "0xab", AddedTarget.text(1, 1, NOW.plusSeconds(3600))));

    assertThat(added.removeExpired(NOW.plusSeconds(60))).isEmpty();
    assertThat(names(NOW.plusSeconds(60))).hasSize(1);
  }

  @Test
  void whatTheConfigurationWatches_isNotWatchedTwice() {
    added.apply(command("/networks/solana/new_pools" + INCLUDED, "{ pages: 3 }"));

    assertThat(names(NOW)).isEmpty();
    assertThat(added.isWatched("/networks/solana/new_pools" + INCLUDED, NOW)).isTrue();
  }

  @Test
  void dayOfAHistory_isWatchedWhileItIsAmongTheNewest() {
    var day = Endpoints.targetName(new Query.CoinHistory("bitcoin", LocalDate.parse("2026-03-08"), true));
    var inAnotherForm = Endpoints.targetName(new Query.CoinHistory("bitcoin", LocalDate.parse("2026-03-08"), false));

    assertThat(added.isWatched(day, NOW)).isTrue();
    assertThat(added.isWatched(day, NOW.plus(Duration.ofDays(1)))).as("of two days, the third").isFalse();
    assertThat(added.isWatched(day, NOW.minus(Duration.ofDays(2)))).as("not over yet").isFalse();
    assertThat(added.isWatched(inAnotherForm, NOW)).isFalse();
    assertThat(added.isWatched(day.replace("bitcoin", "ethereum"), NOW)).isFalse();
    assertThat(added.isWatched("of/another version", NOW)).isFalse();
  }

  @Test
  void targetOverBudget_isNotWatched_andTheOthersAre() {
    var few = targets(20);
    var commands = List.of(command("/networks/eth/trending_pools", "{ pages: 78 }"), command(POOLS + "0xab", "{}"));
    commands.forEach(few::apply);
    var shown = new WatchedBySource(settings(20), commands, List.of());

    assertThat(few.watched(NOW)).extracting(each -> each.target().name())
        .as("80 calls fit into six hours, two are taken")
        .containsExactly(POOLS + "0xab" + INCLUDED);
    assertThat(shown.watchList(NOW).targets()).extracting(each -> each.target().name())
        .contains(POOLS + "0xab" + INCLUDED).noneMatch(name -> name.contains("trending"));
    assertThat(shown.rows(NOW)).filteredOn(row -> row.refusal() != null).singleElement().satisfies(row -> {
      assertThat(row.target()).startsWith("/networks/eth/trending_pools");
      assertThat(row.refusal()).startsWith("over budget: with this target");
    });
  }

  @Test
  void targetThatMaxAgeLeavesNoCallsFor_isNotWatched() {
    var commands = List.of(command("/networks/eth/trending_pools", "{ pages: 19 }"));
    var limited = settings(20, "2h");
    var added = new AddedTargets(limited);
    commands.forEach(added::apply);

    assertThat(added.watched(NOW)).isEmpty();
    assertThat(added.follow(listing("0x1", "entered", 60_000), NOW)).as("it takes one call").hasSize(1);
    assertThat(new WatchedBySource(limited, commands, List.of()).rows(NOW))
        .filteredOn(row -> row.refusal() != null).singleElement()
        .satisfies(row -> assertThat(row.refusal())
            .contains("only 20 calls fit 1.3 times into max-age (120 minutes)", "leave 18 calls"));
  }

  /** 80 calls fit into six hours, and two are taken. */
  @Test
  void poolOverBudget_isNotFollowed_andPushesNoTargetOut() {
    var full = targets(20);
    full.apply(command("/networks/eth/trending_pools", "{ pages: 77 }"));
    full.apply(command(POOLS + "0xab", "{}"));
    var watched = full.watched(NOW);

    assertThat(full.follow(listing("0x1", "entered", 60_000), NOW)).isEmpty();
    assertThat(full.watched(NOW)).isEqualTo(watched).hasSize(2);
  }

  @Test
  void poolsOverBudget_areLoggedOnce() {
    var full = targets(20);
    full.apply(command("/networks/eth/trending_pools", "{ pages: 78 }"));
    var log = (Logger) LoggerFactory.getLogger(AddedTargets.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    log.addAppender(lines);
    full.watched(NOW);

    full.follow(listing("0x1", "entered", 60_000), NOW);
    full.follow(listing("0x1", "entered", 60_000), NOW);
    full.follow(listing("0x2", "entered", 60_000), NOW);
    log.detachAppender(lines);

    assertThat(lines.list).singleElement().extracting(ILoggingEvent::getFormattedMessage).asString()
        .contains("follow trending", POOLS + "0x1", "over budget");
  }

  @Test
  void poolThatEnters_isFollowed_ifItMeetsTheCondition() {
    assertThat(added.follow(listing("0x1", "entered", 60_000), NOW)).singleElement().satisfies(command -> {
      assertThat(command.getName()).isEqualTo(POOLS + "0x1" + INCLUDED);
      assertThat(command.getWho()).isEqualTo("follow trending");
      assertThat(command.getText()).contains("until: \"2026-03-10T18:00:00Z\"");
    });
    assertThat(added.follow(listing("0x2", "entered", 40_000), NOW)).as("too small").isEmpty();
    assertThat(added.follow(listing("0x3", "moved", 60_000), NOW)).as("was there").isEmpty();
    assertThat(added.follow(listing("0x1", "entered", 60_000), NOW)).as("followed already").isEmpty();
    assertThat(names(NOW)).containsExactly(POOLS + "0x1" + INCLUDED);
  }

  @Test
  void poolOfABaseline_isNotFollowed() {
    var listing = listing("0x1", "entered", 60_000);
    listing.getOrigin().setBaseline(true);

    assertThat(added.follow(listing, NOW)).isEmpty();
  }

  @Test
  void poolWatchedWithOtherOptions_isNotFollowed() {
    added.apply(command(POOLS + "0x89?include_composition=true", "{}"));
    added.apply(command(POOLS + "0x88", "{}"));

    assertThat(added.follow(listing("0x88", "entered", 60_000), NOW)).as("configured").isEmpty();
    assertThat(added.follow(listing("0x89", "entered", 60_000), NOW)).as("added").isEmpty();
    assertThat(names(NOW)).containsExactly(POOLS + "0x89" + INCLUDED + "&include_composition=true");
  }

  @Test
  void mostFollowedPools_leaveRoomWhenTheyEnd() {
    var two = targets(2);

    assertThat(two.follow(listing("0x1", "entered", 60_000), NOW)).hasSize(1);
    assertThat(two.follow(listing("0x2", "entered", 60_000), NOW)).hasSize(1);
    assertThat(two.follow(listing("0x3", "entered", 60_000), NOW)).isEmpty();
    assertThat(two.follow(listing("0x3", "entered", 60_000), NOW.plus(Duration.ofHours(6)))).hasSize(1);
  }

  @Test
  void restart_continuesWithTheCommands() {
    var command = added.follow(listing("0x1", "entered", 60_000), NOW).getFirst();
    var next = targets(20);

    next.apply(command);

    assertThat(next.watched(NOW)).isEqualTo(added.watched(NOW)).hasSize(1);
  }

  private List<String> names(Instant at) {
    return added.watched(at).stream().map(each -> each.target().name()).toList();
  }

  private static AddedTargets targets(int most) {
    return new AddedTargets(settings(most));
  }

  private static SourceSettings settings(int most) {
    return settings(most, "6d");
  }

  private static SourceSettings settings(int most, String maxAge) {
    return Settings.parse("test.yaml", """
        sources:
          - base-url: https://example.org/api/v3
            max-age: %s
            watch:
              networks: { solana: { new-pools: {} }, eth: { pools: { "0x88": { composition: true } } } }
              coins: { bitcoin: { history: { days: 2 } } }
              follow: [ { entering: trending, where: "about.reserve_usd > 50000.0", for: 6h, most: %d } ]
        """.formatted(maxAge, most), name -> null).sources().getFirst();
  }

  private static Watch command(String name, @Nullable String text) {
    return Watch.newBuilder().setKind("target").setName(name).setText(text).setWho("me@here").setAt(NOW).build();
  }

  private static PoolListing listing(String address, String action, double reserve) {
    return PoolListing.newBuilder().setPool("eth_" + address).setNetwork("eth").setKind("trending").setAction(action)
        .setAbout(PoolAbout.newBuilder().setReserveUsd(reserve).build()).build();
  }
}
