package io.tidemark.simulator;

import io.tidemark.event.Platform;
import io.tidemark.event.PlatformDescription;
import io.tidemark.event.PlatformImage;
import io.tidemark.event.PlatformMedia;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.PlatformFilter;
import io.tidemark.simulator.TextTable.TableRow;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Operation 13 of the service, the list of asset platforms: platforms that never change, platforms that are edited in
 * turn, and the platforms that were added last.
 *
 * @param quiet whether platforms are added only by the incident
 * @param newPlatform incident in which a platform is added
 */
record AssetPlatformsOperation(
    StatelessRandom random, MarketSpeed speed, boolean quiet, Incident newPlatform) {

  private record PlatformRow(
      String id, @Nullable Long chain, String name, String shortname, @Nullable String nativeCoin, boolean nft) {
    private static final int ATTRIBUTES = 3;

    static PlatformRow of(TableRow row) {
      boolean nft = Boolean.parseBoolean(row.text(6));
      return new PlatformRow(row.text(1), row.longOrNull(2), row.text(3), row.text(4), row.textOrNull(5), nft);
    }

    /** Returns this platform after the given number of edits. Each edit changes another attribute than the last. */
    PlatformRow edited(long edits) {
      boolean flipped = isChanged(edits, 0);
      String newShortname = isChanged(edits, 1) ? shortname.isEmpty() ? name.toLowerCase(Locale.ROOT) : "" : shortname;
      String newName = isChanged(edits, 2) ? name + " Mainnet" : name;
      return new PlatformRow(id, chain, newName, newShortname, nativeCoin, nft != flipped);
    }

    private static boolean isChanged(long edits, int attribute) {
      return Math.floorMod(Math.floorDiv(edits + attribute, ATTRIBUTES), 2) == 1;
    }

    /** Returns the key of the resource: the id, or the name if the id is empty. */
    String key() {
      return id.isEmpty() ? "name:" + name : id;
    }

    String image(String size) {
      return AnswerFormats.image("platforms", id.isEmpty() ? name.toLowerCase(Locale.ROOT) : id, size);
    }
  }

  private static final List<PlatformRow> CONSTANT = rows("constant");
  private static final List<PlatformRow> EDITED = rows("edited");

  private static final List<String> FIRST_NAMES =
      List.of("Amber", "Basalt", "Cobalt", "Delta", "Ember", "Fjord", "Granite", "Halo");
  private static final List<String> LAST_NAMES = List.of("Chain", "Network", "Rollup", "L2", "Mainnet");

  /** Market time from one edit of any platform to the next. */
  private static final Duration EDIT = Duration.ofMinutes(20);

  private static final Duration ADDITION = Duration.ofMinutes(200);
  private static final int NEWEST = 8;
  private static final long FIRST_CHAIN = 7_000;

  private static List<PlatformRow> rows(String kind) {
    return TextTable.read("platforms.txt").stream()
        .filter(row -> row.text(0).equals(kind))
        .map(PlatformRow::of)
        .toList();
  }

  List<Observation<Platform>> answer(long at, Query.AssetPlatforms query) {
    return Stream.of(CONSTANT.stream(), edited(at), added(at))
        .flatMap(rows -> rows)
        .filter(row -> query.filter() != PlatformFilter.NFT || row.nft())
        .map(AssetPlatformsOperation::observation)
        .toList();
  }

  private Stream<PlatformRow> edited(long at) {
    long round = speed.realMillis(EDIT.multipliedBy(EDITED.size()));
    long turn = speed.realMillis(EDIT);
    return LongStream.range(0, EDITED.size())
        .mapToObj(i -> EDITED.get((int) i).edited(Math.floorDiv(at + i * turn, round)));
  }

  private Stream<PlatformRow> added(long at) {
    var additions = new JitteredSchedule(random.derive("arrivals"), 0, speed.realMillis(ADDITION));
    long last = quiet ? NEWEST + (newPlatform.hasBegun(at) ? 1 : 0) : additions.numberAt(at);
    return LongStream.rangeClosed(last - NEWEST + 1, last).mapToObj(this::addition);
  }

  private PlatformRow addition(long number) {
    var own = random.derive(number);
    String name = own.pick(FIRST_NAMES, 0) + " " + own.pick(LAST_NAMES, 1) + " " + number % 1_000;
    String id = name.toLowerCase(Locale.ROOT).replace(' ', '-');
    Long chain = own.chance(0.3, 2) ? null : FIRST_CHAIN + number;
    return new PlatformRow(id, chain, name, "", "ethereum", own.chance(0.4, 3));
  }

  private static Observation<Platform> observation(PlatformRow row) {
    var platform = new Platform();
    platform.setKey(row.key());
    platform.setId(row.id());
    platform.setDescription(new PlatformDescription(row.chain(), row.name(), row.shortname(), row.nativeCoin()));
    platform.setMedia(new PlatformMedia(new PlatformImage(row.image("thumb"), row.image("small"), row.image("large"))));
    return new Observation<>(platform, nulls(row));
  }

  private static Set<String> nulls(PlatformRow row) {
    var nulls = new HashSet<String>();
    AnswerFormats.addIfNull(nulls, "description.chain_identifier", row.chain());
    AnswerFormats.addIfNull(nulls, "description.native_coin_id", row.nativeCoin());
    return nulls;
  }
}
