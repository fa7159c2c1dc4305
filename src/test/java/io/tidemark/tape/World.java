package io.tidemark.tape;

import io.tidemark.tape.Known.Informer;
import io.tidemark.tape.Known.Taken;
import io.tidemark.tape.Observation.Ref;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that must be known after the looks so far, folded from their bodies. */
final class World {
  private final Map<Ref, Known> known = new HashMap<>();

  /** What each target's newest whole look shows, and the service's own time of it; one in part says nothing of that. */
  private final Map<String, Map<Ref, Informer>> showing = new HashMap<>();

  /**
   * What one look must have changed of one resource.
   *
   * @param asOf the service's own time of it
   * @param open facets whose observation may have been refused or not, with the way back
   */
  record Step(
      Observation observation,
      @Nullable Instant asOf,
      boolean first,
      Map<String, Map<String, Object>> before,
      Known known,
      Map<String, Runnable> open) {}

  @Nullable
  Known find(Ref ref) {
    return known.get(ref);
  }

  /** Takes a look in; of resources shown twice the first counts. */
  Map<Ref, Step> take(Look look) {
    var steps = new LinkedHashMap<Ref, Step>();
    if (look.disbelieved()) {
      return steps;
    }
    var shows = new HashMap<Ref, Informer>();
    for (Page page : look.pages()) {
      for (Observation each : page.observations) {
        if (!steps.containsKey(each.ref())) {
          steps.put(each.ref(), step(each, look));
          shows.put(each.ref(), new Informer(asOf(each, look), look.state().getAsOf()));
        }
      }
    }
    if (look.whole()) {
      showing.put(look.target(), shows);
    }
    return steps;
  }

  private Step step(Observation observation, Look look) {
    boolean first = !known.containsKey(observation.ref());
    Known resource = known.computeIfAbsent(observation.ref(), any -> new Known());
    var before = resource.values();
    var open = new HashMap<String, Runnable>();
    observation.facets().forEach((facet, shown) -> {
      Runnable undo = resource.undo(facet);
      Taken taken = resource.see(facet, shown, look.target(), look.state().getChanged(), asOf(observation, look),
          target -> showing.getOrDefault(target, Map.of()).get(observation.ref()));
      if (taken == Taken.EITHER) {
        open.put(facet, undo);
      }
    });
    return new Step(observation, asOf(observation, look), first, before, resource, open);
  }

  /** No answer can show what is not yet. */
  private static @Nullable Instant asOf(Observation observation, Look look) {
    Instant asOf = observation.asOf();
    Instant now = look.at();
    return asOf != null && asOf.isAfter(now) ? now : asOf;
  }
}
