package io.tidemark.simulator.pool;

import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Operation;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.StatelessRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/** What a tired service does to answers, as a function of time; nothing at all unless the scenario asks for it. */
public record FaultInjector(StatelessRandom random, Incident incident) {
  private static final long SPELL = Duration.ofSeconds(10).toMillis();
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final double BLOCKED = 0.02;
  private static final double TROUBLED = 0.03;
  private static final double SHIFTED = 0.3;
  private static final double STAINED = 0.08;

  private boolean dirty() {
    return incident.is(Scenario.DIRTY_DATA);
  }

  /**
   * Fails in an outage, and in some spells of ten seconds, each operation in its own.
   *
   * @throws Failure.Blocked or {@link Failure.ServerError}
   */
  public void failIfDue(Operation operation, long at) {
    if (incident.isOngoing(Scenario.OUTAGE, at)) {
      throw new Failure.ServerError("Internal Server Error");
    }
    double luck = dirty() ? random.derive(operation.wire()).uniform(at / SPELL) : 1;
    if (luck < BLOCKED) {
      throw new Failure.Blocked("Access denied");
    }
    if (luck < BLOCKED + TROUBLED) {
      throw new Failure.ServerError("Internal Server Error");
    }
  }

  /** One page of pools; rows may have moved up or down since the page before, so that one comes twice or never. */
  <T> List<T> page(List<T> rows, int page, long at) {
    var spell = random.derive("pages").derive(at / SPELL);
    boolean shifted = dirty() && page > 1 && spell.chance(SHIFTED, page);
    int shift = !shifted ? 0 : spell.chance(0.5, ~page) ? 1 : -1;
    return Pages.page(rows, page, Pages.POOLS, shift);
  }

  Observation<Pool> corrupted(Observation<Pool> seen, long at) {
    if (!dirty()) {
      return seen;
    }
    var own = random.derive(seen.resource().getId()).derive(at / MINUTE);
    var nulls = new HashSet<>(seen.nulls());
    for (int i = 0; i < Stains.POOL.size(); i++) {
      if (own.chance(STAINED, i)) {
        Stains.POOL.get(i).on(seen.resource(), nulls, own);
      }
    }
    return new Observation<>(seen.resource(), nulls);
  }

  Observation<Token> corruptedToken(Observation<Token> seen, long at) {
    if (!dirty() || !random.derive(seen.resource().getId()).chance(STAINED, at / MINUTE)) {
      return seen;
    }
    var nulls = new HashSet<>(seen.nulls());
    seen.resource().getDescription().setDecimals(null);
    seen.resource().setMedia(null);
    nulls.addAll(List.of("description.decimals", "media.image_url"));
    return new Observation<>(seen.resource(), nulls);
  }
}
