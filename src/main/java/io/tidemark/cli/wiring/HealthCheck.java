package io.tidemark.cli.wiring;

import io.tidemark.mirror.MirrorReader;
import io.tidemark.source.GroupSettings;
import io.tidemark.source.OwnerState;
import io.tidemark.source.Sources;
import io.tidemark.topic.ClusterTopics;
import io.tidemark.topic.OpenTransactionMonitor;
import io.tidemark.topic.Quarantine;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import io.tidemark.web.WebServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** Reports the health of one part of the program. */
@FunctionalInterface
interface HealthCheck {

  /** The part that reports whether this instance is in the group of the sources. */
  String OF_GROUP = ClusterTopics.UNPREFIXED.sources().name();

  /** A session that waits for Kafka reports itself more often than this. */
  Duration LONGEST_SILENCE = Duration.ofMinutes(5);

  /** Whoever handles the alert about an unreadable record still finds the message. */
  Duration QUARANTINE_SHOWN = Duration.ofMinutes(15);

  /** What is asked. */
  enum Probe {
    /** Down where a restart of the process may help. */
    LIVE,
    /** Down where the part cannot do its work. */
    READY
  }

  HealthPart report(Probe probe);

  default HealthPart live() {
    return report(Probe.LIVE);
  }

  default HealthPart ready() {
    return report(Probe.READY);
  }

  /**
   * A part that goes on, or tries again, by itself: a problem degrades it, and a restart would meet the same one.
   *
   * @param fine the message where there is no problem
   * @param problem null where there is none
   */
  private static HealthCheck degradedBy(String part, String fine, Supplier<@Nullable String> problem) {
    return probe -> {
      var now = problem.get();
      return new HealthPart(part, now == null || probe == Probe.LIVE ? HealthStatus.UP : HealthStatus.DEGRADED,
          now == null ? fine : now);
    };
  }

  /** Whether readers of a source's topics get past all transactions. */
  static HealthCheck openTransactions(String source, OpenTransactionMonitor monitor) {
    return degradedBy("transactions of " + source, "end", monitor::problem);
  }

  /** Whether a role of a source could use all records that it read lately. */
  static HealthCheck quarantine(Quarantine quarantine, InstantSource clock) {
    return degradedBy("records read by the %s of %s".formatted(quarantine.role().label(), quarantine.source()),
        "readable", () -> {
          var newest = quarantine.newest();
          return newest == null || newest.at().plus(QUARANTINE_SHOWN).isBefore(clock.instant())
              ? null
              : "skipped %d that could not be used, the newest at %s: %s"
                  .formatted(newest.total(), newest.at(), newest.record().describe());
        });
  }

  /**
   * The health of a receiver of a source's alerts in this process.
   *
   * @param problem why its alerts cannot be read; null while they can
   */
  static HealthCheck receiver(String source, String receiver, Supplier<@Nullable String> problem) {
    return degradedBy("receiver " + receiver + " of " + source, "delivering", () -> {
      var now = problem.get();
      return now == null ? null : "retrying: " + now;
    });
  }

  /** The health of a source's mirror in this process; not ready until it has read what was there at its start. */
  static HealthCheck mirror(String source, MirrorReader mirror) {
    var check = degradedBy("mirror of " + source, "caught up", mirror::problem);
    return probe -> {
      var part = check.report(probe);
      if (mirror.isCaughtUp()) {
        return part;
      }
      return new HealthPart(part.name(), probe == Probe.LIVE ? HealthStatus.UP : HealthStatus.DOWN,
          mirror.problem() == null ? "reading states" : part.message());
    };
  }

  /**
   * The health of the web server in this process.
   *
   * @param server null while it waits for its restart
   * @param problem why it waits
   */
  static HealthCheck web(Supplier<@Nullable WebServer> server, Supplier<@Nullable String> problem) {
    return probe -> {
      var running = server.get();
      return running == null
          ? new HealthPart("web", HealthStatus.DOWN, "restarts: " + problem.get())
          : new HealthPart("web", HealthStatus.UP, "listens on port " + running.port());
    };
  }

  /**
   * The health of a source's stream application in this process. A rebalance after the first start only degrades: it
   * happens with every instance that joins or leaves.
   *
   * @param state null while the application waits for its restart
   * @param problem why it waits
   */
  static HealthCheck streams(
      String source, Supplier<KafkaStreams.@Nullable State> state, Supplier<@Nullable String> problem) {
    var ran = new AtomicBoolean();
    return probe -> {
      var now = state.get();
      ran.compareAndSet(false, probe == Probe.READY && now == KafkaStreams.State.RUNNING);
      var status = switch (now) {
        case RUNNING -> HealthStatus.UP;
        case CREATED, REBALANCING -> probe == Probe.LIVE ? HealthStatus.UP
            : ran.get() ? HealthStatus.DEGRADED : HealthStatus.DOWN;
        case PENDING_SHUTDOWN -> probe == Probe.LIVE ? HealthStatus.UP : HealthStatus.DOWN;
        case ERROR, PENDING_ERROR, NOT_RUNNING -> HealthStatus.DOWN;
        case null -> HealthStatus.DOWN;
      };
      return new HealthPart("streams of " + source, status,
          now == null ? "restarts: " + problem.get() : now.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    };
  }

  /**
   * The health of a source on this instance. Down only where a restart may help: this instance owns the source and its
   * session reports nothing. Only degraded if the service rejects requests, be it those of one target: what is known is
   * still served.
   */
  static HealthCheck source(String source, Supplier<OwnerState> state, InstantSource clock) {
    return probe -> {
      var now = state.get();
      var status = now.status().wire();
      if (probe == Probe.READY) {
        return new HealthPart("source " + source, ready(now),
            now.message() == null ? status : status + ": " + now.message());
      }
      var silent = Duration.between(now.at(), clock.instant());
      return now.isOwner() && silent.compareTo(LONGEST_SILENCE) > 0
          ? new HealthPart("source " + source, HealthStatus.DOWN,
              "no report for %d s while %s".formatted(silent.toSeconds(), status))
          : new HealthPart("source " + source, HealthStatus.UP, status);
    };
  }

  private static HealthStatus ready(OwnerState state) {
    return switch (state.status()) {
      case POLLING -> state.message() == null ? HealthStatus.UP : HealthStatus.DEGRADED;
      case STANDBY -> HealthStatus.UP;
      case DEGRADED, STOPPED, GIVEN_UP -> HealthStatus.DEGRADED;
      case STARTING, RESTORING -> HealthStatus.DOWN;
    };
  }

  /** Whether Kafka answers this instance, also where other instances own all sources. */
  static HealthCheck group(Sources sources) {
    return probe -> {
      var silence = sources.sinceHeartbeat();
      var problem = sources.membershipProblem();
      if (problem != null) {
        return new HealthPart(OF_GROUP, HealthStatus.DEGRADED, "joins again: " + problem);
      }
      return silence.compareTo(GroupSettings.SESSION_TIMEOUT) < 0
          ? new HealthPart(OF_GROUP, HealthStatus.UP, "answers")
          : new HealthPart(OF_GROUP, HealthStatus.DEGRADED,
              "Kafka has not answered for %d s".formatted(silence.toSeconds()));
    };
  }

  /**
   * The health of a derived role in a process that also polls: at worst degraded, because neither a restart of the
   * process nor taking it out of service would help what it captures.
   */
  static HealthCheck besidePolling(HealthCheck role) {
    return probe -> {
      var part = role.report(probe);
      var status = probe == Probe.LIVE ? HealthStatus.UP
          : part.status() == HealthStatus.DOWN ? HealthStatus.DEGRADED : part.status();
      return new HealthPart(part.name(), status, part.message());
    };
  }
}
