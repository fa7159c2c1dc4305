package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Firing;
import io.tidemark.event.PoolListing;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A pool came into a trending list: told for each list, and not again before a time has passed. */
public record NewlyTrending(String topic, Settings settings) implements Mechanism<PoolListing, Firing> {

  /**
   * When to tell of trending pools.
   *
   * @param cooldown how long a pool that goes in and out of a list is not told of again
   */
  public record Settings(boolean enabled, Floors floors, Duration cooldown) {

    public static final Settings DEFAULT = new Settings(true, Floors.of(10_000), Duration.ofHours(6));

    public Settings {
      Periods.requirePositive("newly-trending.cooldown", cooldown);
    }
  }

  /** From listings of pools and ticks to alerts, by pool. */
  public static KStream<String, Alert> alerts(
      KStream<String, SpecificRecord> listings, Topic<PoolListing> topic, Settings settings, Registry registry) {
    return new NewlyTrending(topic.name(), settings).alerts(listings, registry);
  }

  @Override
  public String rule() {
    return "newly-trending";
  }

  @Override
  public Class<PoolListing> records() {
    return PoolListing.class;
  }

  @Override
  public Class<Firing> memories() {
    return Firing.class;
  }

  @Override
  public boolean isStale(Firing last, Instant now) {
    return !now.isBefore(last.getAt().plus(settings.cooldown()));
  }

  @Override
  public @Nullable Finding look(PoolListing listing, KeyValueStore<String, Firing> memory) {
    if (!enteredTrending(listing) || !settings.floors().met(listing.getNetwork(), listing.getAbout())) {
      return null;
    }
    var key = listing.getPool() + " " + listing.getList();
    var at = listing.getOrigin().getObservedAt();
    var last = memory.get(key);
    if (last != null && !isStale(last, at)) {
      return null;
    }
    memory.put(key, new Firing(at));
    return finding(listing, at);
  }

  private static boolean enteredTrending(PoolListing listing) {
    return listing.getKind().equals("trending")
        && listing.getAction().equals("entered")
        && !listing.getOrigin().getBaseline();
  }

  private Finding finding(PoolListing listing, Instant at) {
    var about = listing.getAbout();
    var summary = "%s entered %s at rank %s: reserve %s".formatted(
        Wording.name(about.getName()),
        Wording.name(listing.getList()),
        listing.getRank(),
        Wording.usd(about.getReserveUsd()));
    var evidence = Proof.of(topic, listing)
        .with("action", listing.getAction())
        .with("list", listing.getList())
        .with("rank", listing.getRank())
        .with("about.reserve_usd", about.getReserveUsd());
    var subject = new Finding.Subject(listing.getPool(), listing.getNetwork(), about.getDex(), listing.getList());
    return new Finding(rule(), "info", subject, at, summary, List.of(evidence.evidence()));
  }
}
