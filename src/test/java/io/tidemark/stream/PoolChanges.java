package io.tidemark.stream;

import io.tidemark.event.Appeared;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Changes and listings of one pool on solana, as the ledger would write them. */
public final class PoolChanges {

  public static final String POOL = "solana_A";
  public static final String LIST = "solana/trending/1h";

  private PoolChanges() {}

  /** A price that differs from the one observed a minute before; 50,000 USD in the pool. */
  public static PoolChange moved(Instant at, @Nullable String before, @Nullable String after) {
    return moved(at, before, at.minusSeconds(60), after);
  }

  public static PoolChange moved(
      Instant at, @Nullable String before, Instant beforeObservedAt, @Nullable String after) {
    var change = change(at, 50_000.0);
    change.setPrice(new PoolPriceChange(price(before), price(after), beforeObservedAt, null));
    return change;
  }

  /** The first observation, as a baseline. */
  public static PoolChange baseline(Instant at, String price) {
    var change = moved(at, null, price);
    change.getOrigin().setBaseline(true);
    return change;
  }

  /** All facets, none of them changed. */
  public static PoolChange keyFrame(Instant at, String price) {
    var change = moved(at, price, price);
    change.getOrigin().setKeyFrame(true);
    return change;
  }

  /** The first observation of a pool of an age, created while the source was watched. */
  public static PoolChange created(Instant at, Duration age, @Nullable Double reserve) {
    var change = change(at, reserve);
    change.setAppeared(new Appeared("created", "solana/new", 1, (double) age.toSeconds()));
    return change;
  }

  public static PoolChange notVisible(Instant at) {
    var change = change(at, 50_000.0);
    change.setVisibility(new Visibility(false, at.minusSeconds(900)));
    return change;
  }

  public static PoolChange visible(Instant at) {
    var change = change(at, 50_000.0);
    change.setVisibility(new Visibility(true, at));
    return change;
  }

  public static PoolChange removed(Instant at, String reason) {
    var change = change(at, 50_000.0);
    change.setRemoved(new Removed(reason));
    return change;
  }

  /** A change of something else, such as the reserve. */
  public static PoolChange change(Instant at, @Nullable Double reserve) {
    var change = new PoolChange();
    change.setId(POOL);
    change.setNetwork("solana");
    change.setAddress("A");
    change.setGeneration(Instant.EPOCH);
    change.setRevision(at.getEpochSecond());
    change.setOrigin(origin(at));
    change.setAbout(about(reserve));
    return change;
  }

  public static PoolListing entered(Instant at, String list, @Nullable Double reserve) {
    var listing = new PoolListing();
    listing.setPool(POOL);
    listing.setNetwork("solana");
    listing.setList(list);
    listing.setKind("trending");
    listing.setAction("entered");
    listing.setRank(3);
    listing.setGeneration(Instant.EPOCH);
    listing.setOrigin(origin(at));
    listing.setAbout(about(reserve));
    return listing;
  }

  private static Origin origin(Instant at) {
    return new Origin(
        "main", "pool", "/networks/solana/pools/A", 1L, false, false, at, at.minusSeconds(60), at);
  }

  private static PoolAbout about(@Nullable Double reserve) {
    var about = new PoolAbout();
    about.setName("PEPE / SOL");
    about.setDex("raydium");
    about.setReserveUsd(reserve);
    return about;
  }

  private static PoolPrice price(@Nullable String usd) {
    return PoolPrice.newBuilder().setBaseTokenPriceUsd(usd).build();
  }
}
