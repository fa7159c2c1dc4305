package io.tidemark.cli;

import io.tidemark.web.Health;
import io.tidemark.web.Health.Condition;
import io.tidemark.web.Health.Part;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What tells how this program fares: its parts, each asked anew every time. */
final class Checks {

  private static final String PROGRAM = "program";

  private final List<Supplier<Part>> live = new CopyOnWriteArrayList<>();
  private final List<Supplier<Part>> ready = new CopyOnWriteArrayList<>();
  private volatile Part program = new Part(PROGRAM, Condition.DOWN, "starting");

  /** Another part of the program. */
  void add(Supplier<Part> lives, Supplier<Part> isReady) {
    live.add(lives);
    ready.add(isReady);
  }

  /** All parts are started. */
  void started() {
    program = new Part(PROGRAM, Condition.UP, "started");
  }

  /** Nothing more is taken on. */
  void stopping() {
    program = new Part(PROGRAM, Condition.DOWN, "stopping");
  }

  Health live() {
    return health(new Part(PROGRAM, Condition.UP, program.word()), live);
  }

  Health ready() {
    return health(program, ready);
  }

  private static Health health(Part program, List<Supplier<Part>> parts) {
    return new Health(Stream.concat(Stream.of(program), parts.stream().map(Supplier::get)).toList());
  }
}
