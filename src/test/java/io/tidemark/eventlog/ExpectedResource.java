package io.tidemark.eventlog;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The expected state of one resource, computed from the bodies alone. */
final class ExpectedResource {
  private static final Duration TOLERANCE = Duration.ofSeconds(2);
  private static final String TOKEN_PRICE = "token_price";

  private final Map<String, Facet> facets = new TreeMap<>();

  /** Who informs about each side of {@code token_price}, because a target shows the side that it asks for only. */
  private final Map<String, Facet> sides = new HashMap<>();
  private final Map<String, LastChange> lastChanges = new HashMap<>();

  /** The target and time of the last recorded change of a facet. */
  private record LastChange(String target, @Nullable Instant asOf) {}

  /** Whether an observation of a facet counts. */
  enum Judgement {
    ACCEPTED,
    REJECTED,
    /** The records do not show whether it was older, so both are allowed. */
    EITHER
  }

  /**
   * One facet.
   *
   * @param observed the last accepted observation of each target
   * @param informant the target whose value counts
   * @param asOf the service's own time of the value
   */
  private record Facet(
      Map<String, Object> value, Map<String, ObservedFacet> observed, String informant, @Nullable Instant asOf) {}

  /**
   * The informant's newest snapshot, if it still shows the resource.
   *
   * @param asOf its own time of the resource
   * @param oldestAsOf its time of the oldest page
   * @param newestAsOf its time of the newest page
   */
  record Informer(@Nullable Instant asOf, @Nullable Instant oldestAsOf, @Nullable Instant newestAsOf) {}

  /** Finds the newest snapshot of a target that still shows this resource. */
  interface NewestSnapshots {
    @Nullable
    Informer at(String target);
  }

  Map<String, Object> value(String facet) {
    Facet known = facets.get(facet);
    return known == null ? Map.of() : known.value;
  }

  Map<String, Map<String, Object>> values() {
    var values = new TreeMap<String, Map<String, Object>>();
    facets.forEach((name, facet) -> values.put(name, facet.value));
    return values;
  }

  Set<String> names() {
    return facets.keySet();
  }

  /** Sets a value that no body shows: a derived one, or that of the event log if both are allowed. */
  void put(String facet, Map<String, Object> value) {
    Facet known = facets.get(facet);
    facets.put(facet,
        known == null
            ? new Facet(value, Map.of(), "", null)
            : new Facet(value, known.observed, known.informant, known.asOf));
  }

  /**
   * Adds the observation of a facet by a snapshot.
   *
   * @param reread whether its bodies were read; bodies equal to those of the snapshot before are not
   */
  Judgement see(String name, ObservedFacet observed, String target, boolean reread, @Nullable Instant asOf,
      NewestSnapshots newest) {
    boolean isBase = observed.values().containsKey("base") || observed.nulls().contains("base");
    String part = name.equals(TOKEN_PRICE) ? name + (isBase ? ".base" : ".quote") : name;
    Facet facet = part.equals(name) ? facets.get(name) : sides.get(part);
    Map<String, Object> value = value(name);
    if (facet == null) {
      set(name, part, new Facet(observed.over(value), Map.of(target, observed), target, asOf));
      return Judgement.ACCEPTED;
    }
    ObservedFacet last = facet.observed.get(target);
    if (observed.equals(last) && facet.informant.equals(target)) {
      set(name, part, new Facet(value, facet.observed, target, asOf == null ? null : later(facet.asOf, asOf)));
      return Judgement.ACCEPTED;
    }
    boolean alone = !facet.informant.equals(target) && newest.at(facet.informant) == null;
    if (observed.equals(last) && (!reread || !alone || observed.over(value).equals(value))) {
      return Judgement.ACCEPTED;
    }
    if (last == null && !facet.informant.equals(target) && newest.at(facet.informant) != null) {
      set(name, part, new Facet(observed.under(value), with(facet, target, observed), facet.informant, facet.asOf));
      return Judgement.ACCEPTED;
    }
    Judgement judgement = judge(facet, target, asOf, newest);
    if (judgement != Judgement.REJECTED) {
      set(name, part, new Facet(observed.over(value), with(facet, target, observed), target,
          asOf == null ? null : later(facet.asOf, asOf)));
    }
    return judgement;
  }

  private void set(String name, String part, Facet facet) {
    if (!part.equals(name)) {
      sides.put(part, facet);
    }
    facets.put(name, facet);
  }

  /**
   * Judges an observation: one by the informant may be older by the tolerance, one by another target must be clearly
   * newer. The records do not always show which page of the informant's snapshot showed the resource last.
   */
  private static Judgement judge(Facet facet, String target, @Nullable Instant asOf, NewestSnapshots newest) {
    Informer informant = newest.at(facet.informant);
    boolean own = facet.informant.equals(target);
    if (!own && (asOf == null || facet.asOf == null)) {
      return informant == null ? Judgement.ACCEPTED : Judgement.REJECTED;
    }
    if (informant == null) {
      return accepts(own, asOf, facet.asOf) ? Judgement.ACCEPTED : Judgement.REJECTED;
    }
    List<Boolean> accepted = Stream.of(informant.asOf, informant.oldestAsOf, informant.newestAsOf)
        .map(last -> accepts(own, asOf, later(facet.asOf, last))).distinct().toList();
    return accepted.size() > 1 ? Judgement.EITHER : accepted.get(0) ? Judgement.ACCEPTED : Judgement.REJECTED;
  }

  private static boolean accepts(boolean own, @Nullable Instant asOf, @Nullable Instant known) {
    return own ? !older(asOf, known) : older(known, asOf);
  }

  void noteChange(String facet, String target, @Nullable Instant asOf) {
    lastChanges.put(facet, new LastChange(target, asOf));
  }

  /**
   * Rebuilds the state from its changes: the target of a facet's last change becomes its informant, and the last
   * observations of all targets are forgotten. So the first observation by another target adds only what is unknown.
   */
  void rebuild() {
    sides.clear();
    facets.keySet().retainAll(lastChanges.keySet());
    facets.replaceAll((name, facet) -> {
      LastChange last = lastChanges.get(name);
      return new Facet(facet.value, Map.of(), last.target, last.asOf);
    });
  }

  /** Notes that a target, which may be an informant, no longer shows the resource. */
  void drop(String target, Informer last) {
    Stream.of(facets, sides).forEach(all -> all.replaceAll(
        (name, facet) -> facet.informant.equals(target) && facet.asOf != null
            ? new Facet(facet.value, facet.observed, target, later(facet.asOf, last.asOf))
            : facet));
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }

  private static boolean older(@Nullable Instant asOf, @Nullable Instant known) {
    return asOf != null && known != null && asOf.isBefore(known.minus(TOLERANCE));
  }

  private static Map<String, ObservedFacet> with(Facet facet, String target, ObservedFacet observed) {
    var all = new HashMap<>(facet.observed);
    all.put(target, observed);
    return all;
  }

  /** Returns an action that restores the present value of a facet. */
  Runnable undo(String name) {
    Facet before = facets.get(name);
    Map<String, Facet> sidesBefore = Map.copyOf(sides);
    return () -> {
      if (name.equals(TOKEN_PRICE)) {
        sides.clear();
        sides.putAll(sidesBefore);
      }
      if (before == null) {
        facets.remove(name);
      } else {
        facets.put(name, before);
      }
    };
  }
}
