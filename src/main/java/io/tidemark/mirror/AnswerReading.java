package io.tidemark.mirror;

import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.mirror.WatchedTargets.MirroredTarget;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The reading of one answer out of the store: what it is made of, and how old that is. */
final class AnswerReading {
  private final MirrorStore store;
  private final Query<?> query;
  private final Instant now;
  private final MessageDigest digest = sha256();
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
  void note(String part) {
    digest.update(part.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  <A> Answer<A> answer(Query<A> asked, A body) {
    note(asked.toString());
    return new Answer<>(asked, Body.of(body), HexFormat.of().formatHex(digest.digest()), now, now, asOf, freshness,
        null);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
