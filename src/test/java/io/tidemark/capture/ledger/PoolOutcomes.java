package io.tidemark.capture.ledger;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.KnownStates;
import io.tidemark.event.Origin;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.PoolState;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.ResourceMemoryCodec;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** Change sets of snapshots of pools, made by hand: each change builds on what is known. */
final class PoolOutcomes {

  static final Instant GENERATION = Instant.parse("2026-11-21T11:00:00Z");
  static final String TARGET = "/networks/eth/new_pools";

  static final KnownStates NOTHING =
      new KnownStates() {
        @Override
        public SpecificRecord find(String resource, String key) {
          return null;
        }

        @Override
        public TargetState targetState(String name) {
          return null;
        }

        @Override
        public List<TargetMembers> members(String target) {
          return List.of();
        }

        @Override
        public Set<String> targetsWithMember(String key) {
          return Set.of();
        }
      };

  private PoolOutcomes() {}

  static ChangeSet outcome(ResourceUpdate... entries) {
    return new ChangeSet(target(1), List.of(), List.of(entries), List.of(), List.of());
  }

  static TargetState target(long snapshot) {
    return TargetState.newBuilder()
        .setTarget(TARGET).setSource("main").setOperation("new_pools").setSnapshot(snapshot).setObservedAt(GENERATION)
        .build();
  }

  /** The next change of a pool's price. */
  static ResourceUpdate priced(KnownStates states, String id, String price) {
    var known = (PoolState) states.find("pool", id);
    var before = known == null ? null : known.getKnown().getPrice();
    var revision = known == null ? 1 : known.getRevision() + 1;
    var after = PoolPrice.newBuilder().setBaseTokenPriceUsd(price).build();
    var change =
        PoolChange.newBuilder()
            .setId(id).setGeneration(GENERATION).setRevision(revision).setOrigin(origin())
            .setAbout(PoolAbout.newBuilder().build())
            .setPrice(PoolPriceChange.newBuilder().setBefore(before).setAfter(after).build())
            .build();
    return new ResourceUpdate("pool", id, change, state(id, revision, after));
  }

  static PoolState state(String id, long revision, PoolPrice price) {
    return PoolState.newBuilder()
        .setKnown(Pool.newBuilder().setId(id).setPrice(price).build())
        .setGeneration(GENERATION).setRevision(revision).setObservedAt(GENERATION)
        .setMemory(ResourceMemoryCodec.write(ResourceMemory.newBuilder().build()))
        .build();
  }

  static Origin origin() {
    return Origin.newBuilder()
        .setSource("main").setOperation("new_pools").setTarget(TARGET).setObservedAt(GENERATION)
        .build();
  }
}
