package io.tidemark.cli;

import io.tidemark.stream.StreamApp;
import io.tidemark.web.Health.Condition;
import io.tidemark.web.Health.Part;
import java.util.Locale;

/** How the stream application of a source fares in this process. */
final class StreamPulse {

  private final String name;
  private final StreamApp app;
  private volatile boolean ran;

  StreamPulse(String source, StreamApp app) {
    this.name = "streams of " + source;
    this.app = app;
  }

  /** Down where it is dead: it does not come back by itself. */
  Part live() {
    return switch (app.kafka().state()) {
      case ERROR, PENDING_ERROR, NOT_RUNNING -> part(Condition.DOWN);
      default -> part(Condition.UP);
    };
  }

  /** Partitions are shared out anew with every instance that comes or goes: that is no reason to send readers away. */
  Part ready() {
    return switch (app.kafka().state()) {
      case RUNNING -> {
        ran = true;
        yield part(Condition.UP);
      }
      case CREATED, REBALANCING -> part(ran ? Condition.DEGRADED : Condition.DOWN);
      default -> part(Condition.DOWN);
    };
  }

  private Part part(Condition condition) {
    return new Part(name, condition, app.kafka().state().name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }
}
