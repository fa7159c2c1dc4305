package io.tidemark.change;

import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolListing;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ranking's change as flat records, one for each pool that entered, left or moved. */
final class RankingDetector {
  private RankingDetector() {}

  static List<PoolListing> of(RankingChange change, KnownResources names) {
    RankingOrderChange order = change.getOrder();
    List<PoolListing> listings = new ArrayList<>();
    if (order != null) {
      order.getEntered().forEach(
          each -> listings.add(listing(change, "entered", each.getPool(), each.getRank(), null, each.getAbout())));
      order.getExited().forEach(
          each -> listings.add(
              listing(change, "exited", each.getPool(), null, each.getRankBefore(), about(each.getPool(), names))));
      order.getMoved().forEach(
          each -> listings.add(
              listing(
                  change,
                  "moved",
                  each.getPool(),
                  each.getRank(),
                  each.getRankBefore(),
                  about(each.getPool(), names))));
    }
    return listings;
  }

  private static PoolAbout about(String pool, KnownResources names) {
    return AboutCopy.ofPool(pool, names);
  }

  private static PoolListing listing(
      RankingChange change,
      String action,
      String pool,
      @Nullable Integer rank,
      @Nullable Integer rankBefore,
      PoolAbout about) {
    return PoolListing.newBuilder()
        .setPool(pool)
        .setNetwork(change.getNetwork())
        .setList(change.getId())
        .setKind(change.getKind())
        .setDuration(change.getDuration())
        .setAction(action)
        .setRank(rank)
        .setRankBefore(rankBefore)
        .setSize(change.getOrder().getSize())
        .setGeneration(change.getGeneration())
        .setRevision(change.getRevision())
        .setOrigin(change.getOrigin())
        .setAbout(about)
        .build();
  }
}
