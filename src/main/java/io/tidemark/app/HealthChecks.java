package io.tidemark.app;

import io.tidemark.app.HealthCheck.Probe;
import io.tidemark.serve.web.Health;
import io.tidemark.serve.web.Health.HealthPart;
import io.tidemark.serve.web.Health.HealthStatus;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The health of the program: the state of the program and a check of each part, evaluated at every request. */
final class HealthChecks {

  private static final String PROGRAM = "program";

  private final List<HealthCheck> parts = new CopyOnWriteArrayList<>();
  private volatile HealthPart program = new HealthPart(PROGRAM, HealthStatus.DOWN, "starting");

  void add(HealthCheck part) {
    parts.add(part);
  }

  void programStarted() {
    program = new HealthPart(PROGRAM, HealthStatus.UP, "started");
  }

  void programStopping() {
    program = new HealthPart(PROGRAM, HealthStatus.DOWN, "stopping");
  }

  Health started() {
    return new Health(List.of(program));
  }

  Health live() {
    return health(new HealthPart(PROGRAM, HealthStatus.UP, program.message()), Probe.LIVE);
  }

  Health ready() {
    return health(program, Probe.READY);
  }

  private Health health(HealthPart program, Probe probe) {
    return new Health(Stream.concat(Stream.of(program), parts.stream().map(each -> each.report(probe))).toList());
  }
}
