package io.tidemark.eventlog;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must be known of one resource, by the bodies alone. */
final class ExpectedResource {
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private final Map<String, Facet> facets = new TreeMap<>();

  /** How an observation of a facet is to be taken. */
  enum Taken {
    BELIEVED,
    REFUSED,
    /** The records do not say whether it was older: both are right. */
    EITHER
  }

  /**
   * One facet.
   *
   * @param observed what each target last showed of it and was believed
   * @param informant the target that the value is from
   * @param asOf the service's own time of the value
   */
  private record Facet(
      Map<String, Object> value, Map<String, ObservedFacet> observed, String informant, @Nullable Instant asOf) {}

  /**
   * The informant's newest look, where it still shows the resource.
   *
   * @param asOf its own time of the resource
   * @param pageAsOf its time of all its pages
   */
  record Informer(@Nullable Instant asOf, @Nullable Instant pageAsOf) {}

  /** Finds the newest look of a target that still shows this resource. */
  interface Looking {
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

  /** Sets a value apart from what bodies show: a derived one, or what the tape says where both are right. */
  void put(String facet, Map<String, Object> value) {
    Facet known = facets.get(facet);
    facets.put(facet,
        known == null
            ? new Facet(value, Map.of(), "", null)
            : new Facet(value, known.observed, known.informant, known.asOf));
  }

  /**
   * Takes in what a look showed of a facet.
   *
   * @param reread whether its bodies were read; those of the look before are not read again
   */
  Taken see(String name, ObservedFacet observed, String target, boolean reread, @Nullable Instant asOf,
      Looking looking) {
    Facet facet = facets.get(name);
    if (facet == null) {
      facets.put(name, new Facet(observed.over(Map.of()), Map.of(target, observed), target, asOf));
      return Taken.BELIEVED;
    }
    ObservedFacet last = facet.observed.get(target);
    boolean alone = !facet.informant.equals(target) && looking.at(facet.informant) == null;
    if (observed.equals(last) && (!reread || !alone || observed.over(facet.value).equals(facet.value))) {
      return Taken.BELIEVED;
    }
    if (last == null && looking.at(facet.informant) != null) {
      facets.put(name,
          new Facet(observed.under(facet.value), with(facet, target, observed), facet.informant, facet.asOf));
      return Taken.BELIEVED;
    }
    Taken taken = judge(facet, target, asOf, looking);
    if (taken != Taken.REFUSED) {
      facets.put(name, new Facet(observed.over(facet.value), with(facet, target, observed), target, asOf));
    }
    return taken;
  }

  private static Taken judge(Facet facet, String target, @Nullable Instant asOf, Looking looking) {
    Informer informant = facet.informant.equals(target) ? null : looking.at(facet.informant);
    if (older(asOf, facet.asOf)) {
      return Taken.REFUSED;
    }
    if (informant == null) {
      return Taken.BELIEVED;
    }
    boolean byOwn = older(asOf, informant.asOf);
    boolean byPage = older(asOf, informant.pageAsOf);
    return byOwn && byPage ? Taken.REFUSED : byOwn || byPage ? Taken.EITHER : Taken.BELIEVED;
  }

  private static boolean older(@Nullable Instant seen, @Nullable Instant known) {
    return seen != null && known != null && seen.isBefore(known.minus(TOLERANCE));
  }

  private static Map<String, ObservedFacet> with(Facet facet, String target, ObservedFacet observed) {
    var all = new HashMap<>(facet.observed);
    all.put(target, observed);
    return all;
  }

  /** Sight of a facet before an observation, to go back to. */
  Runnable undo(String name) {
    Facet before = facets.get(name);
    return () -> {
      if (before == null) {
        facets.remove(name);
      } else {
        facets.put(name, before);
      }
    };
  }
}
