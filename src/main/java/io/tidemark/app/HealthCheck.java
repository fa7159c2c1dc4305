package io.tidemark.app;

import io.tidemark.capture.source.OwnerState;
import io.tidemark.capture.source.Sources;
import io.tidemark.kafka.ClassicGroup;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.OpenTransactionMonitor;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.TransactionProtocol;
import io.tidemark.serve.mirror.MirrorReader;
import io.tidemark.serve.web.Health.HealthPart;
import io.tidemark.serve.web.Health.HealthStatus;
import io.tidemark.serve.web.WebServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** A check that reports the health of one part of the program. */
@FunctionalInterface
interface HealthCheck {

  /** Name of the part that {@link #group} reports. */
  String OF_GROUP = ClusterTopics.UNPREFIXED.sources().name();

  /**
   * Maximum time since the last sign of life of a source's session on its owner. After a longer time, the source is not
   * live. An outage of Kafka does not silence a session: each request has a timeout, by default of at most a minute.
   */
  Duration LONGEST_SILENCE = Duration.ofMinutes(5);

  /**
   * Time for which a quarantined record degrades readiness. It is long enough for a person who handles an alert to find
   * the record in the message.
   */
  Duration QUARANTINE_SHOWN = Duration.ofMinutes(15);

  /** The question that a check answers. */
  enum Probe {
    /** Down if a restart of the process may help. */
    LIVE,
    /**
     * Down if the process cannot serve because of the part. A problem with which the process can go on only degrades
     * the part.
     */
    READY
  }

  HealthPart report(Probe probe);

  /**
   * Returns the check of a part that continues or retries by itself. A problem degrades the part for {@link
   * Probe#READY} only, because a restart would not solve the problem.
   *
   * @param fine the message if there is no problem
   * @param problem supplies the current problem of the part; null if there is none
   */
  private static HealthCheck degradedBy(String part, String fine, Supplier<@Nullable String> problem) {
    return probe -> {
      var now = problem.get();
      return new HealthPart(part, now == null || probe == Probe.LIVE ? HealthStatus.UP : HealthStatus.DEGRADED,
          now == null ? fine : now);
    };
  }

  /** Returns a check that no open transaction blocks the readers of a source's topics. */
  static HealthCheck openTransactions(String source, OpenTransactionMonitor monitor) {
    return degradedBy("transactions of " + source, "end", monitor::problem);
  }

  /** Returns a check that the cluster's transaction protocol is not known to be unsafe. */
  static HealthCheck transactionProtocol(TransactionProtocol transactions) {
    return probe -> degradedBy("transaction protocol", transactions.description(), transactions::problem).report(probe);
  }

  /** Returns a check that a role of a source has skipped no unusable record within {@link #QUARANTINE_SHOWN}. */
  static HealthCheck quarantine(Quarantine quarantine, InstantSource clock) {
    return degradedBy("records read by the %s of %s".formatted(quarantine.role().label(), quarantine.source()),
        "readable", () -> {
          var newest = quarantine.newest();
          return newest == null || newest.at().plus(QUARANTINE_SHOWN).isBefore(clock.instant())
              ? null
              : "skipped %d record(s) that could not be used; the newest was skipped at %s: %s"
                  .formatted(newest.total(), newest.at(), newest.record().describe());
        });
  }

  /**
   * Returns the check of a receiver of a source's alerts in this process.
   *
   * @param problem why nothing is delivered to the receiver; null while deliveries work
   */
  static HealthCheck receiver(String source, String receiver, Supplier<@Nullable String> problem) {
    return degradedBy("receiver " + receiver + " of " + source, "delivering", () -> {
      var now = problem.get();
      return now == null ? null : "retrying: " + now;
    });
  }

  /** The mirror is not ready until it has read all states that existed when it started. */
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
   * Returns the check of the web server in this process.
   *
   * @param server the running web server; null while it waits for its restart
   * @param problem why the web server waits for its restart
   */
  static HealthCheck web(Supplier<@Nullable WebServer> server, Supplier<@Nullable String> problem) {
    return probe -> {
      var running = server.get();
      return running == null
          ? new HealthPart("web", HealthStatus.DOWN, "restarting after a failure: " + problem.get())
          : new HealthPart("web", HealthStatus.UP, "listens on port " + running.port());
    };
  }

  /**
   * Returns the check of a source's stream application in this process. After a {@link Probe#READY} probe has seen the
   * application running, a rebalance is degraded and not down, because a rebalance happens whenever an instance joins
   * or leaves.
   *
   * @param state the application's state; null while it waits for its restart
   * @param problem why the application waits for its restart
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
          now == null
              ? "restarting after a failure: " + problem.get()
              : now.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    };
  }

  /**
   * Returns the check of a source on this instance. For {@link Probe#LIVE}, the source is down only if a restart may
   * help: this instance owns the source, and its session has stopped reporting its progress. For {@link Probe#READY},
   * the source is down only while its session starts or restores. A problem, such as requests that the service rejects,
   * even requests of a single target, only degrades it, because known data is still served.
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
              "the session of the source has not reported for %d s; its last status is %s"
                  .formatted(silent.toSeconds(), status))
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

  /**
   * Returns the check of this instance's membership in the group that assigns sources, even if other instances own all
   * sources. For both probes, it is degraded if the membership failed or if Kafka has not answered heartbeats for
   * {@link ClassicGroup#SESSION_TIMEOUT}.
   */
  static HealthCheck group(Sources sources) {
    return probe -> {
      var silence = sources.membership().sinceHeartbeat();
      var problem = sources.membership().problem();
      if (problem != null) {
        return new HealthPart(OF_GROUP, HealthStatus.DEGRADED, "joining the group again after a failure: " + problem);
      }
      return silence.compareTo(ClassicGroup.SESSION_TIMEOUT) < 0
          ? new HealthPart(OF_GROUP, HealthStatus.UP, "answers")
          : new HealthPart(OF_GROUP, HealthStatus.DEGRADED,
              "Kafka has not answered for %d s".formatted(silence.toSeconds()));
    };
  }

  /**
   * Returns the check of a derived role in a process that also polls. The role is at worst degraded, because neither
   * restarting the process nor taking it out of service would help the capture.
   */
  static HealthCheck besidePolling(HealthCheck role) {
    var live = liveBesidePolling(role);
    return probe -> {
      var part = live.report(probe);
      return part.status() == HealthStatus.DOWN
          ? new HealthPart(part.name(), HealthStatus.DEGRADED, part.message())
          : part;
    };
  }

  /**
   * Returns the check of a part that answers readers, in a process that also polls. The part is never down for {@link
   * Probe#LIVE}, because a restart would interrupt the capture. It can be down for {@link Probe#READY}: other instances
   * then answer the readers.
   */
  static HealthCheck liveBesidePolling(HealthCheck part) {
    return probe -> {
      var now = part.report(probe);
      return probe == Probe.LIVE ? new HealthPart(now.name(), HealthStatus.UP, now.message()) : now;
    };
  }
}
