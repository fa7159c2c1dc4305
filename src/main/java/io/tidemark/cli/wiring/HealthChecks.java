package io.tidemark.cli.wiring;

import io.tidemark.web.Health;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What tells how this program fares: its parts, each asked anew every time. */
final class HealthChecks {

  private static final String PROGRAM = "program";

  private final List<Supplier<HealthPart>> live = new CopyOnWriteArrayList<>();
  private final List<Supplier<HealthPart>> ready = new CopyOnWriteArrayList<>();
  private volatile HealthPart program = new HealthPart(PROGRAM, HealthStatus.DOWN, "starting");

  /** Another part of the program. */
  void add(Supplier<HealthPart> lives, Supplier<HealthPart> isReady) {
    live.add(lives);
    ready.add(isReady);
  }

  /** All parts are started. */
  void started() {
    program = new HealthPart(PROGRAM, HealthStatus.UP, "started");
  }

  /** Nothing more is taken on. */
  void stopping() {
    program = new HealthPart(PROGRAM, HealthStatus.DOWN, "stopping");
  }

  Health live() {
    return health(new HealthPart(PROGRAM, HealthStatus.UP, program.message()), live);
  }

  Health ready() {
    return health(program, ready);
  }

  private static Health health(HealthPart program, List<Supplier<HealthPart>> parts) {
    return new Health(Stream.concat(Stream.of(program), parts.stream().map(Supplier::get)).toList());
  }
}
