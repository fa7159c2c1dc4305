package io.tidemark.ledger;

import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.change.States;
import io.tidemark.event.Origin;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.PoolState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** What looks at pools come to, made by hand: each change builds on what is known. */
final class Looks {

  static final Instant LIFE = Instant.parse("2026-11-21T11:00:00Z");
  static final String TARGET = "/networks/eth/new_pools";

  static final States NOTHING =
      new States() {
        @Override
        public SpecificRecord find(String resource, String key) {
          return null;
        }

        @Override
        public TargetState target(String name) {
          return null;
        }

        @Override
        public List<TargetMembers> members(String target) {
          return List.of();
        }
      };

  private Looks() {}

  static Outcome outcome(Entry... entries) {
    return new Outcome(target(1), List.of(), List.of(entries), List.of(), List.of());
  }

  static TargetState target(long sweep) {
    return TargetState.newBuilder()
        .setTarget(TARGET).setSource("main").setOperation("new_pools").setSweep(sweep).setObservedAt(LIFE).build();
  }

  /** The next change of a pool's price. */
  static Entry priced(States states, String id, String price) {
    var known = (PoolState) states.find("pool", id);
    var before = known == null ? null : known.getKnown().getPrice();
    var revision = known == null ? 1 : known.getRevision() + 1;
    var after = PoolPrice.newBuilder().setBaseTokenPriceUsd(price).build();
    var change =
        PoolChange.newBuilder()
            .setId(id).setLife(LIFE).setRevision(revision).setOrigin(origin())
            .setAbout(PoolAbout.newBuilder().build())
            .setPrice(PoolPriceChange.newBuilder().setBefore(before).setAfter(after).build())
            .build();
    return new Entry("pool", id, change, state(id, revision, after));
  }

  static PoolState state(String id, long revision, PoolPrice price) {
    return PoolState.newBuilder()
        .setKnown(Pool.newBuilder().setId(id).setPrice(price).build())
        .setLife(LIFE).setRevision(revision).setObservedAt(LIFE)
        .build();
  }

  static Origin origin() {
    return Origin.newBuilder()
        .setSource("main").setOperation("new_pools").setTarget(TARGET).setObservedAt(LIFE)
        .build();
  }
}
