package io.tidemark.cli.rules;

import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.capture.source.WatchedBySource;
import io.tidemark.cli.command.ClusterOptions;
import io.tidemark.event.Watch;
import io.tidemark.kafka.CommandPublisher;
import io.tidemark.kafka.Topics;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RuleException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes commands to the topic {@code watch} of a source, and reads the announcements of its owner. */
public final class WatchTopicClient {

  private static final String STILL_REQUESTED = "requested, but not applied yet: no instance owns the source, or the"
      + " owner is busy. The owner applies the command when it reads the command; 'tidemark rules list' shows the"
      + " result";

  @Mixin
  public ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--source", paramLabel = "NAME", description = "The source, if the configuration has several.")
  @Nullable
  public String source;

  public Topics topics() {
    return cluster.topicsOf(source);
  }

  public WatchedBySource watched() {
    return cluster.watched(cluster.source(source));
  }

  /** Reads the rules and silences that have been requested and announced so far. */
  RuleAnnouncements announcements() {
    try (var reader = reader()) {
      return reader.read();
    }
  }

  /**
   * Compiles the rules of the configuration. Returns null if no configuration is given, or if it has a mistake, which
   * must not keep a file from being applied or withdrawn.
   */
  @Nullable
  RuleSet configuredRules() {
    var settings = cluster.settings();
    try {
      return settings == null ? null : settings.rules().compile(topics().ruleSchemas());
    } catch (RuleException e) {
      return null;
    }
  }

  /** Returns a reader of the commands and announcements of the source. The caller closes it. */
  RuleAnnouncementReader reader() {
    return new RuleAnnouncementReader(topics(), cluster.reader(List.of(topics().watch())));
  }

  /** @param text text of the command; null to withdraw the earlier command with this kind and name */
  void publish(String kind, String name, @Nullable String text) {
    publish(kind, name, text, now());
  }

  void publish(String kind, String name, @Nullable String text, Instant at) {
    publish(Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho(user()).setAt(at).build());
  }

  public void publish(Watch command) {
    try {
      new CommandPublisher(topics(), cluster.registry(), cluster.cluster().clientConfig()).publish(command);
    } catch (KafkaException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Waits until the rules that the owner of the source announced pass the test, but no longer than the timeout, and
   * prints the result with the version in force. First prints to {@code err} what it waits for.
   *
   * @throws CommandFailure if no such rules were announced, so that the command is only requested
   */
  void await(RuleAnnouncementReader reader, Predicate<RuleSet> done, String what, String result,
      Duration timeout, PrintWriter out, PrintWriter err) {
    err.println("requested; waiting up to %d s for the instance that owns %s to %s ...".formatted(timeout.toSeconds(),
        cluster.settings() == null ? "the source" : "source " + cluster.source(source).name(), what));
    err.flush();
    var announced = reader.await(each -> done.test(each.inForce()), timeout);
    out.println(result + ", version " + applied(announced == null ? null : announced.inForce()).version());
  }

  /** Returns the rules that are in force after a command, or fails if the owner announced none. */
  static RuleSet applied(@Nullable RuleSet announced) {
    if (announced == null) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, STILL_REQUESTED);
    }
    return announced;
  }

  /** Returns the author to name in a command: {@code user@host}. */
  public static String user() {
    var instance = Application.instance();
    return System.getProperty("user.name", "someone") + instance.substring(Math.max(0, instance.indexOf('@')));
  }

  /** Returns the current time for commands, in whole milliseconds. */
  public static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
