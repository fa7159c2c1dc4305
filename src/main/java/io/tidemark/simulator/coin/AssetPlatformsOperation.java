package io.tidemark.simulator.coin;

import io.tidemark.event.Platform;
import io.tidemark.event.PlatformDescription;
import io.tidemark.event.PlatformImage;
import io.tidemark.event.PlatformMedia;
import io.tidemark.market.Observation;
import io.tidemark.market.PlatformFilter;
import io.tidemark.market.Query;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.generator.Images;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.JitteredSchedule;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.StatelessRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Operation 13: the old platforms, which editors retouch one after another, and the newest of those that arrive. */
public final class AssetPlatformsOperation {
  /** From one edit to the next, of whichever platform. */
  private static final Duration EDIT = Duration.ofMinutes(20);

  private static final Duration ARRIVAL = Duration.ofMinutes(200);
  private static final int NEWEST = 8;
  private static final long FIRST_CHAIN = 7_000;

  private final StatelessRandom random;
  private final MarketSpeed speed;
  private final JitteredSchedule arrivals;
  private final Incident incident;

  public AssetPlatformsOperation(StatelessRandom random, MarketSpeed speed, Incident incident) {
    this.random = random;
    this.speed = speed;
    this.incident = incident;
    this.arrivals = new JitteredSchedule(random.derive("arrivals"), 0, speed.realMillis(ARRIVAL));
  }

  public List<Observation<Platform>> at(long at, Query.AssetPlatforms query) {
    return Stream.concat(old(at), arrived(at))
        .filter(row -> query.filter() != PlatformFilter.NFT || row.nft())
        .map(AssetPlatformsOperation::platform)
        .toList();
  }

  private Stream<PlatformRow> old(long at) {
    var retouched = PlatformRow.RETOUCHED;
    long round = speed.realMillis(EDIT.multipliedBy(retouched.size()));
    long turn = speed.realMillis(EDIT);
    var edited = LongStream.range(0, retouched.size())
        .mapToObj(i -> retouched.get((int) i).edited(Math.floorDiv(at + i * turn, round)));
    return Stream.concat(PlatformRow.SETTLED.stream(), edited);
  }

  private Stream<PlatformRow> arrived(long at) {
    long last =
        incident.isQuiet() ? NEWEST + (incident.hasBegun(Scenario.NEW_PLATFORM, at) ? 1 : 0) : arrivals.numberAt(at);
    return LongStream.rangeClosed(last - NEWEST + 1, last).mapToObj(this::arrival);
  }

  private PlatformRow arrival(long number) {
    var own = random.derive(number);
    String word = own.pick(PlatformRow.WORDS, 0) + " " + own.pick(PlatformRow.KINDS, 1) + " " + number % 1_000;
    String id = word.toLowerCase(Locale.ROOT).replace(' ', '-');
    Long chain = own.chance(0.3, 2) ? null : FIRST_CHAIN + number;
    return new PlatformRow(id, chain, word, "", "ethereum", own.chance(0.4, 3));
  }

  private static Observation<Platform> platform(PlatformRow row) {
    var platform = new Platform();
    platform.setKey(row.key());
    platform.setId(row.id());
    platform.setDescription(new PlatformDescription(row.chain(), row.name(), row.shortname(), row.nativeCoin()));
    platform.setMedia(new PlatformMedia(new PlatformImage(
        Images.platform(row.slug(), "thumb"),
        Images.platform(row.slug(), "small"),
        Images.platform(row.slug(), "large"))));
    return new Observation<>(platform, nulls(row));
  }

  private static Set<String> nulls(PlatformRow row) {
    var nulls = new HashSet<String>();
    if (row.chain() == null) {
      nulls.add("description.chain_identifier");
    }
    if (row.nativeCoin() == null) {
      nulls.add("description.native_coin_id");
    }
    return nulls;
  }
}
