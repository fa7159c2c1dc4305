package io.tidemark.cli.command;

import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.StateRebuild;
import io.tidemark.capture.ledger.StateTopics;
import io.tidemark.kafka.OwnersRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the lost topics of a source and, with {@code --apply}, rebuilds their states from the changes. */
@Command(
    name = "rebuild",
    mixinStandardHelpOptions = true,
    description = {
      "Rebuilds the lost states of a stopped source from its changes, and accepts the current topics, so that the"
          + " source can start again.",
      "Without --apply, the command only prints the lost topics."},
    footer = {"",
      "Exit codes: 0 nothing is lost, or all is rebuilt; 1 something is lost; 3 Kafka or the registry is not"
          + " reachable."})
public final class RebuildCommand extends CliCommand implements Callable<Integer> {

  @Mixin
  ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--source", paramLabel = "NAME",
      description = "The source of the configuration (default: the only one).")
  @Nullable
  String source;

  @Option(names = "--apply", description = "Writes the states.")
  boolean apply;

  @Override
  public Integer call() {
    var configured = cluster.source(source);
    var settings = Objects.requireNonNull(cluster.settings());
    var ledger = new LedgerSettings(configured.name(), Application.instance(), cluster.topicsOf(configured.name()),
        settings.topics().layout(), cluster.cluster().clientConfig(), settings.kafka().openTransactionWait());
    var registry = cluster.registry();
    OwnersRegistry.requireSame(ledger.topics(), registry, ledger.kafka(), "rebuild the states");
    var lost = StateTopics.lost(ledger, registry);
    lost.forEach(out()::println);
    if (lost.isEmpty()) {
      out().println("source %s: nothing is lost".formatted(configured.name()));
      return 0;
    }
    return apply ? rebuild(ledger, registry, settings.topics().create()) : CommandFailure.PROBLEM_FOUND;
  }

  private int rebuild(LedgerSettings ledger, SchemaRegistry registry, boolean createTopics) {
    StateRebuild.run(ledger, registry, InstantSource.system(), createTopics).forEach(topic -> out().println(
        ("%s: %,d states written, %,d states kept; %,d resources have neither a state nor a key frame in the retained"
            + " changes")
            .formatted(topic.topic(), topic.written(), topic.kept(), topic.unknown())));
    out().println("source %s: the states are rebuilt; start the source again, and check it with 'tidemark audit'"
        .formatted(ledger.source()));
    return 0;
  }
}
