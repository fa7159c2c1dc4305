package io.tidemark.mirror;

import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.Validity;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.mirror.EncodedStates.KnownResource;
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
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one answer out of the store: what it is made of, how old that is, and whether it is still the same. All
 * that an answer has of the store is read through it.
 */
final class AnswerReading {
  private final MirrorStore store;
  private final Query<?> query;
  private final Instant now;
  private final MessageDigest digest = sha256();
  private final List<BooleanSupplier> unchanged = new ArrayList<>();
  private int matches;
  private @Nullable Instant asOf;
  private @Nullable Duration freshness;

  AnswerReading(MirrorStore store, Query<?> query, Instant now) {
    this.store = store;
    this.query = query;
    this.now = now;
  }

  /** The target that answers the query. */
  MirroredTarget target() {
    var target = findTarget();
    if (target == null) {
      throw notWatched();
    }
    return from(target);
  }

  /** The target that answers the query; null where none does. */
  @Nullable
  MirroredTarget findTarget() {
    var targets = store.targets();
    var asked = query;
    var target = targets.find(asked);
    unchanged.add(() -> Objects.equals(targets.find(asked), target));
    return target;
  }

  /** The target that observed a resource last; null where none shows it. */
  @Nullable
  MirroredTarget lastShowing(String key) {
    var targets = store.targets();
    var target = targets.lastShowing(key);
    unchanged.add(() -> Objects.equals(targets.lastShowing(key), target));
    return target;
  }

  /** Keys that a target shows, in order, each once. */
  List<String> shown(MirroredTarget target) {
    var targets = store.targets();
    var pages = targets.pages(target);
    unchanged.add(() -> targets.pages(target) == pages);
    return targets.shown(target);
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
    var rankings = store.rankings();
    var order = rankings.find(ranking);
    unchanged.add(() -> rankings.find(ranking) == order);
    if (order != null) {
      note(ranking + order);
    }
    return order;
  }

  /** Whether a newer order of a list than the visible one is known. */
  boolean isPending(String ranking) {
    var rankings = store.rankings();
    var isPending = rankings.isPending(ranking);
    unchanged.add(() -> rankings.isPending(ranking) == isPending);
    return isPending;
  }

  /** Ids of the pools that an address or terms find, the weightiest first; see {@link PoolSearch}. */
  List<String> search(String text, @Nullable String network, int limit) {
    var found = store.search().find(text, network, limit);
    unchanged.add(found.validity());
    matches += found.compared();
    return found.pools();
  }

  boolean has(EncodedStates<?> states, String key) {
    var has = states.has(key);
    unchanged.add(() -> states.has(key) == has);
    return has;
  }

  /** The time of a state; null where the resource is not known. */
  @Nullable
  Instant observedAt(EncodedStates<?> states, String key) {
    var known = findState(states, key);
    return known == null ? null : known.observedAt();
  }

  /** What the answer has of a resource; null where the resource is not known. */
  <R extends SpecificRecord> @Nullable Observation<R> find(
      EncodedStates<R> states, String key, KnownAttributes attributes) {
    var known = findState(states, key);
    if (known == null) {
      return null;
    }
    note(key + " " + known.revision() + " " + known.writtenAt());
    return attributes.observation(known, states.view().facets());
  }

  private <R extends SpecificRecord> @Nullable KnownResource<R> findState(EncodedStates<R> states, String key) {
    var known = states.find(key);
    var version = known == null ? 0 : known.version();
    unchanged.add(() -> states.version(key) == version);
    return known;
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
    digest.update(part.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  <A> Answer<A> answer(Query<A> asked, A body) {
    note(asked.toString());
    return new Answer<>(asked, new MirroredBody<>(body, new AnswerValidity(store, unchanged, matches)),
        HexFormat.of().formatHex(digest.digest()), now, now, asOf, freshness, null);
  }

  /** A body that knows whether the mirror would still give it. */
  private record MirroredBody<A>(A read, Validity validity) implements Body<A> {
    @Override
    public byte[] raw() {
      return new byte[0];
    }
  }

  /** Whether all that an answer was made of is unchanged. While the store does not change, that is one comparison. */
  private static final class AnswerValidity implements Validity {
    private static final long NEVER = -1;

    private final MirrorStore store;
    private final BooleanSupplier[] unchanged;
    private final int parts;

    /** {@link MirrorStore#changes} at the last time when all parts were found to be unchanged. */
    private volatile long comparedAt = NEVER;

    /** @param matches how many matches of a search are compared besides */
    AnswerValidity(MirrorStore store, List<BooleanSupplier> unchanged, int matches) {
      this.store = store;
      this.unchanged = unchanged.toArray(BooleanSupplier[]::new);
      this.parts = unchanged.size() + matches;
    }

    @Override
    public int parts() {
      return parts;
    }

    @Override
    public boolean getAsBoolean() {
      var changes = store.changes();
      if (changes == comparedAt && changes % 2 == 0) {
        return true;
      }
      for (var part : unchanged) {
        if (!part.getAsBoolean()) {
          return false;
        }
      }
      comparedAt = changes;
      return true;
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
