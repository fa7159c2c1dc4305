package io.tidemark.cli.rules;

import io.tidemark.cli.command.ClusterOptions;
import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.event.Watch;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.topic.CommandPublisher;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Topics;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes commands to the topic {@code watch} of a source, and reads what its owner announced. */
public final class WatchTopicClient {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final String STILL_REQUESTED = "requested; no instance owns the source now, or its owner is busy: the"
      + " owner applies it as soon as it reads it ('tidemark rules list' shows)";

  @Mixin
  public ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--source", paramLabel = "NAME", description = "The source, where the configuration has several.")
  @Nullable
  public String source;

  private final Set<String> skipped = new HashSet<>();

  /** The topics of the source. */
  public Topics topics() {
    return cluster.topicsOf(source);
  }

  /** The rules and silences that are requested and announced so far. */
  RuleAnnouncements announcements() {
    var topics = topics();
    var announcements = RuleAnnouncements.ofOtherOwner(topics.ruleSchemas(), topics.retention().changes());
    try (var reader = cluster.reader(List.of(topics.watch()))) {
      reader.readAll(record -> apply(record, announcements));
    }
    return announcements;
  }

  /** Skips commands that cannot be used, as the owner does; logs each of them once. */
  private void apply(CommittedRecord record, RuleAnnouncements announcements) {
    if (record.unreadable() != null) {
      skip(record, record.unreadable().detail());
    } else if (record.value() instanceof Watch command) {
      try {
        announcements.apply(command);
      } catch (RuntimeException e) {
        skip(record, e.toString());
      }
    }
  }

  private void skip(CommittedRecord record, String reason) {
    if (skipped.add(record.location())) {
      LoggerFactory.getLogger(WatchTopicClient.class).warn(
          "{}: skips a command that cannot be used, as the owner of the source does: {}", record.location(),
          reason);
    }
  }

  /**
   * Writes a command for the owner of the source.
   *
   * @param text null withdraws an earlier command of that kind and name
   */
  public void publish(String kind, String name, @Nullable String text) {
    var command = Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho(user()).setAt(now()).build();
    try {
      new CommandPublisher(topics(), cluster.registry(), cluster.cluster().clientConfig()).publish(command);
    } catch (KafkaException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, String.valueOf(e.getMessage()));
    }
  }

  /** Waits until the owner has announced rules, and prints the result. */
  void awaitInForce(RuleSet rules, Duration timeout, PrintWriter out) {
    var announced = await(each -> each.inForce().containsAll(rules), timeout);
    out.println(announced == null ? STILL_REQUESTED : "in force, version " + announced.inForce().version());
  }

  /** Waits until the owner has withdrawn rules, and prints the result. */
  void awaitDropped(RuleSet rules, Duration timeout, PrintWriter out) {
    var announced = await(each -> !each.inForce().containsAll(rules) || rules.rules().isEmpty(), timeout);
    out.println(announced == null ? STILL_REQUESTED : "dropped, version " + announced.inForce().version());
  }

  /** Returns null where the timeout passes first. */
  private @Nullable RuleAnnouncements await(Predicate<RuleAnnouncements> done, Duration timeout) {
    var deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      var now = announcements();
      if (done.test(now)) {
        return now;
      }
      if (System.nanoTime() > deadline) {
        return null;
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "interrupted while waiting for the rules to be in force");
    }
  }

  /** The author of commands: {@code user@host}. */
  public static String user() {
    var instance = Application.instance();
    return System.getProperty("user.name", "someone") + instance.substring(Math.max(0, instance.indexOf('@')));
  }

  /** The time of commands, in whole milliseconds. */
  public static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
