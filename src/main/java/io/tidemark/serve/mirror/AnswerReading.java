package io.tidemark.serve.mirror;

import io.tidemark.event.SafeText;
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
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A reading of one answer from the store. It records from which states the answer is made, and how old they are. */
final class AnswerReading {
  /** Time after which a client asks again whose query is watched and was not answered yet. */
  private static final Duration AWAITED_PAUSE = Duration.ofSeconds(10);

  private static final int LONGEST_REASON = 300;

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

  /**
   * Returns the target that answers the query, and takes the age of the answer from the target.
   *
   * @throws Failure if no target answers the query
   */
  MirroredTarget target() {
    var target = store.targets().find(query);
    if (target == null) {
      throw notAnswered();
    }
    return from(target);
  }

  /** A query that the configuration watches may be answered later, unless the service refuses it. */
  Failure notAnswered() {
    if (!store.targets().awaitsFirstObservation(query, now)) {
      return WatchHint.notWatched(query, LocalDate.ofInstant(now, ZoneOffset.UTC));
    }
    var refusal = store.targets().refusal(query);
    return refusal == null
        ? new Failure.ServerError("This query is watched, but the service has not answered it yet. Failed polls are in"
            + " /v1/status.", AWAITED_PAUSE)
        : new Failure.NotFound("This query is watched, but the service refuses it: "
            + SafeText.escaped(refusal, LONGEST_REASON));
  }

  /**
   * Dates the answer to the time at which the content of the target's last observation was current, and sets its
   * freshness. Returns the target.
   */
  MirroredTarget from(MirroredTarget target) {
    asOf = target.contentTime();
    freshness = target.freshness();
    return target;
  }

  /**
   * Makes the answer at least as old as the given time; null changes nothing. An answer that becomes older loses its
   * freshness.
   */
  void notAfter(@Nullable Instant time) {
    if (time != null && (asOf == null || time.isBefore(asOf))) {
      asOf = time;
      freshness = null;
    }
  }

  /** Returns the ids of the pools of a list in order, or null if the list has no visible order. */
  @Nullable
  List<String> order(String ranking) {
    var order = store.rankings().find(ranking);
    if (order != null) {
      note(ranking + order);
    }
    return order;
  }

  /** Returns the given attributes of a resource, or null if the resource is not known. */
  <R extends SpecificRecord> @Nullable Observation<R> find(
      EncodedStates<R> states, String key, KnownAttributes attributes) {
    var known = states.find(key);
    if (known == null) {
      return null;
    }
    note(key + " " + known.revision() + " " + known.writtenAt());
    return attributes.observation(known, states.view().facets());
  }

  /** Returns the given attributes of the resources with the given keys, in this order, without unknown resources. */
  <R extends SpecificRecord> List<Observation<R>> findAll(
      EncodedStates<R> states, Collection<String> keys, KnownAttributes attributes) {
    return keys.stream().map(key -> find(states, key, attributes)).filter(Objects::nonNull).toList();
  }

  /** Adds a part to the text whose hash becomes the digest of the answer. */
  private void note(String part) {
    parts.append(part).append('\n');
  }

  <A> Answer<A> answer(Query<A> asked, A body) {
    note(asked.toString());
    return new Answer<>(
        asked, Body.of(body), Sha256.hex(parts.toString()), now, now, asOf, freshness, null, null);
  }
}
