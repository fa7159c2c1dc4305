package io.tidemark.stream.aggregate;

import io.tidemark.event.PoolListing;
import io.tidemark.event.TrendingStay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stays of a pool in trending lists, one for each list. */
final class TrendingStays {

  private TrendingStays() {}

  /** Takes what is told of a list; a stay that begins with the first look at the list is no entry. */
  static void update(List<TrendingStay> stays, PoolListing listing) {
    var stay = in(stays, listing);
    var at = listing.getOrigin().getObservedAt();
    if (listing.getAction().equals("exited")) {
      stay.setSeconds(stay.getSeconds() + since(stay, at));
      stay.setEnteredAt(null);
      stay.setRank(null);
      return;
    }
    if (stay.getEnteredAt() == null) {
      stay.setEnteredAt(at);
    }
    if (listing.getAction().equals("entered") && !listing.getOrigin().getBaseline()) {
      stay.setEntries(stay.getEntries() + 1);
    }
    stay.setRank(listing.getRank());
    stay.setBestRank(better(stay.getBestRank(), listing.getRank()));
  }

  /** A stay with the seconds up to a time; one that is not over has lasted until then. */
  static TrendingStay until(TrendingStay stay, Instant at) {
    return TrendingStay.newBuilder(stay).setSeconds(stay.getSeconds() + since(stay, at)).build();
  }

  private static TrendingStay in(List<TrendingStay> stays, PoolListing listing) {
    for (var stay : stays) {
      if (stay.getList().equals(listing.getList())) {
        return stay;
      }
    }
    var stay = TrendingStay.newBuilder().build();
    stay.setList(listing.getList());
    stay.setDuration(listing.getDuration() == null ? "" : listing.getDuration());
    stays.add(stay);
    return stay;
  }

  private static double since(TrendingStay stay, Instant at) {
    return stay.getEnteredAt() == null ? 0 : Duration.between(stay.getEnteredAt(), at).toMillis() / 1000.0;
  }

  private static @Nullable Integer better(@Nullable Integer one, @Nullable Integer other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.min(one, other);
  }
}
