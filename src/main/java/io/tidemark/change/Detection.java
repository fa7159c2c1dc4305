package io.tidemark.change;

import io.tidemark.event.TargetState;
import io.tidemark.market.Failure;
import io.tidemark.market.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What differs between two looks: a pure function from what is known and a sweep to what is new. */
public final class Detection {
  private final Emission emission;
  private final Timers timers;
  private final Instant watchingSince;

  /**
   * Detection for one source.
   *
   * @param worth what is worth an event
   * @param retention how long changes are kept: a resource's first change in each half of it carries all facets
   * @param forgetAfter how long after it was last seen a resource is forgotten
   * @param watchingSince when watching of the source began, ever
   * @param startedAt since when this life of the source looks
   */
  public Detection(Worth worth, Duration retention, Duration forgetAfter, Instant watchingSince, Instant startedAt) {
    this.emission = new Emission(worth, retention.dividedBy(2));
    this.timers = new Timers(emission, forgetAfter, startedAt);
    this.watchingSince = watchingSince;
  }

  /** What a sweep comes to, given what is known. A body that cannot be read becomes a dead letter, never an error. */
  public Outcome detect(Sweep sweep, States states) {
    Look look =
        new Look(
            sweep.target(),
            states.target(sweep.target().name()),
            sweep.observedAt(),
            watchingSince,
            states);
    TargetLook target = new TargetLook(look, sweep);
    if (target.unchanged()) {
      return target.same();
    }
    if (target.older()) {
      return target.refused();
    }
    if (sweep.failure() instanceof Failure.NotFound && sweep.pages().isEmpty()) {
      return SweepWork.notFound(look, emission);
    }
    return new SweepWork(look, target, emission).outcome();
  }

  /** When something of a resource is due that no sweep need bring; null where nothing is. */
  public @Nullable Instant due(String resource, SpecificRecord state, States states, Instant now) {
    return timers.next(draft(resource, state), states, now);
  }

  /**
   * What of a resource is due by now: values held back, with the look that saw them as origin; that it is out of sight;
   * that it is forgotten. Null where nothing is.
   */
  public @Nullable Entry expire(String resource, SpecificRecord state, States states, Instant now) {
    return timers.expire(draft(resource, state), states, now);
  }

  /** When a target that is not looked at any more shows nothing. */
  public Instant staleAt(TargetState target) {
    return Sightings.staleAt(target);
  }

  /** Keys of the resources that a target shows, each with its resource's name. */
  public Map<String, String> shownBy(TargetState target, States states) {
    return Sightings.shownBy(target, states);
  }

  private static Draft draft(String resource, SpecificRecord state) {
    Kind kind = Kind.named(resource);
    return Draft.of(kind, kind.key(StateRecord.known(state)), state);
  }

  /** Names of the facets of a resource, in the order of the schema. */
  public static List<String> facets(String resource) {
    return Kind.named(resource).facets().stream().map(Facet::name).toList();
  }
}
