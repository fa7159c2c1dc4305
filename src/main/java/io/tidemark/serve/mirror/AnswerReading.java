package io.tidemark.serve.mirror;

import io.tidemark.event.Sha256;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.serve.mirror.WatchedTargets.MirroredTarget;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The reading of one answer out of the store: what it is made of, and how old that is. */
final class AnswerReading {
  private final MirrorStore store;
  private final Query<?> query;
  private final Instant now;
  private final StringBuilder parts = new StringBuilder();
  private @Nullable Instant asOf;
  private @Nullable Duration freshness;

  AnswerReading(MirrorStore store, Query<?> query, Instant now) {
    this.store = store;
    this.query = query;
    this.now = now;
  }

  /** The target that answers the query. */
  MirroredTarget target() {
    var target = store.targets().find(query);
    if (target == null) {
      throw notWatched();
    }
    return from(target);
  }

  /** The failure of a query that no target answers. */
  Failure.NotFound notWatched() {
    return WatchHint.notWatched(query, LocalDate.ofInstant(now, ZoneOffset.UTC));
  }

  /** The answer is as old as the last observation of this target. */
  MirroredTarget from(MirroredTarget target) {
    asOf = target.contentTime();
    freshness = target.freshness();
    return target;
  }

  /** The answer is at least this old. */
  void notAfter(@Nullable Instant time) {
    if (time != null && (asOf == null || time.isBefore(asOf))) {
      asOf = time;
      freshness = null;
    }
  }

  /** Ids of the pools of a list in order; null where the list is not known. */
  @Nullable
  List<String> order(String ranking) {
    var order = store.rankings().find(ranking);
    if (order != null) {
      note(ranking + order);
    }
    return order;
  }

  /** What the answer has of a resource; null where the resource is not known. */
  <R extends SpecificRecord> @Nullable Observation<R> find(
      EncodedStates<R> states, String key, KnownAttributes attributes) {
    var known = states.find(key);
    if (known == null) {
      return null;
    }
    note(key + " " + known.revision() + " " + known.writtenAt());
    return attributes.observation(known, states.view().facets());
  }

  /** Those of some resources that are known, in the order of the keys. */
  <R extends SpecificRecord> List<Observation<R>> findAll(
      EncodedStates<R> states, Collection<String> keys, KnownAttributes attributes) {
    var all = new ArrayList<Observation<R>>(keys.size());
    for (var key : keys) {
      var found = find(states, key, attributes);
      if (found != null) {
        all.add(found);
      }
    }
    return all;
  }

  /** Something that the answer depends on. */
  private void note(String part) {
    parts.append(part).append('\n');
  }

  <A> Answer<A> answer(Query<A> asked, A body) {
    note(asked.toString());
    return new Answer<>(
        asked, Body.of(body), Sha256.hex(parts.toString()), now, now, asOf, freshness, null);
  }
}
