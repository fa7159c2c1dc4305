package io.tidemark.tape;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must be known of one resource, by the bodies alone. */
final class Known {
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
   * @param shown what each target last showed of it and was believed
   * @param informer the target that the value is from
   * @param asOf the service's own time of the value
   */
  private record Facet(
      Map<String, Object> value, Map<String, Shown> shown, String informer, @Nullable Instant asOf) {}

  /**
   * The informer's newest look, where it still shows the resource.
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
            : new Facet(value, known.shown, known.informer, known.asOf));
  }

  /**
   * Takes in what a look showed of a facet.
   *
   * @param reread whether its bodies were read; those of the look before are not read again
   */
  Taken see(String name, Shown shown, String target, boolean reread, @Nullable Instant asOf, Looking looking) {
    Facet facet = facets.get(name);
    if (facet == null) {
      facets.put(name, new Facet(shown.over(Map.of()), Map.of(target, shown), target, asOf));
      return Taken.BELIEVED;
    }
    Shown last = facet.shown.get(target);
    boolean alone = !facet.informer.equals(target) && looking.at(facet.informer) == null;
    if (shown.equals(last) && (!reread || !alone || shown.over(facet.value).equals(facet.value))) {
      return Taken.BELIEVED;
    }
    if (last == null && looking.at(facet.informer) != null) {
      facets.put(name, new Facet(shown.under(facet.value), with(facet, target, shown), facet.informer, facet.asOf));
      return Taken.BELIEVED;
    }
    Taken taken = judge(facet, target, asOf, looking);
    if (taken != Taken.REFUSED) {
      facets.put(name, new Facet(shown.over(facet.value), with(facet, target, shown), target, asOf));
    }
    return taken;
  }

  private static Taken judge(Facet facet, String target, @Nullable Instant asOf, Looking looking) {
    Informer informer = facet.informer.equals(target) ? null : looking.at(facet.informer);
    if (older(asOf, facet.asOf)) {
      return Taken.REFUSED;
    }
    if (informer == null) {
      return Taken.BELIEVED;
    }
    boolean byOwn = older(asOf, informer.asOf);
    boolean byPage = older(asOf, informer.pageAsOf);
    return byOwn && byPage ? Taken.REFUSED : byOwn || byPage ? Taken.EITHER : Taken.BELIEVED;
  }

  private static boolean older(@Nullable Instant seen, @Nullable Instant known) {
    return seen != null && known != null && seen.isBefore(known.minus(TOLERANCE));
  }

  private static Map<String, Shown> with(Facet facet, String target, Shown shown) {
    var all = new HashMap<>(facet.shown);
    all.put(target, shown);
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
