package io.tidemark.cli.command;

import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.KafkaCluster;
import io.tidemark.cli.wiring.Registries;
import io.tidemark.config.Settings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.rule.file.RuleException;
import io.tidemark.source.SourceSettings;
import io.tidemark.topic.RegistryFailure;
import io.tidemark.yaml.YamlException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import reactor.core.publisher.Mono;

@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = "Says whether a configuration is right, and whether what it names answers.")
public final class CheckCommand implements Callable<Integer> {

  @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  Path config = Path.of("tidemark.yaml");

  @Option(names = "--offline", description = "Reads the configuration only, asks nobody.")
  boolean offline;

  @Spec
  @Nullable
  CommandSpec spec;

  private int worst;

  @Override
  public Integer call() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var settings = settings();
    if (settings == null) {
      return CommandFailure.PROBLEM_FOUND;
    }
    settings.sources().forEach(source -> summary(source, out));
    rules(settings, out);
    if (!offline) {
      kafka(settings, out);
      registry(settings, out);
      settings.sources().forEach(source -> service(source, out));
    }
    return worst;
  }

  private @Nullable Settings settings() {
    try {
      return Settings.read(config, System::getenv);
    } catch (YamlException e) {
      complain(CommandFailure.PROBLEM_FOUND, e.getMessage());
      return null;
    }
  }

  private static void summary(SourceSettings source, PrintWriter out) {
    out.printf("source %s: %d targets, %d histories; one round takes up to %d calls, of %d a minute and %d a month%n",
        source.name(), source.watch().targets().size(), source.watch().histories().size(),
        source.watch().callsPerRound(),
        source.limits().perMinute(), source.limits().perMonth());
  }

  private void rules(Settings settings, PrintWriter out) {
    try {
      var topics = Application.topics(settings, settings.sources().getFirst());
      out.println("rules: " + settings.rules().compile(topics.ruleSchemas()).rules().size()
          + "; 'tidemark rules check' says what they see");
    } catch (RuleException e) {
      complain(CommandFailure.PROBLEM_FOUND, e.getMessage());
    }
  }

  private void kafka(Settings settings, PrintWriter out) {
    var kafka = settings.kafka();
    if (kafka.embedded() != null) {
      out.println("Kafka: embedded, on port " + kafka.embedded().port() + "; not started by this check");
      return;
    }
    try {
      var cluster = KafkaCluster.connect(Objects.requireNonNull(kafka.bootstrapServers()), kafka.properties());
      out.println("Kafka: answers at " + cluster.bootstrapServers());
    } catch (CommandFailure e) {
      complain(e.exitCode(), e.getMessage());
    }
  }

  private void registry(Settings settings, PrintWriter out) {
    var topics = Application.topics(settings);
    var registry = Registries.of(settings.registry(), topics);
    try {
      var topic = topics.getFirst();
      registry.id(topic.subject(), SpecificData.get().getSchema(topic.value()));
      out.println("registry: " + registry.identity() + ", answers");
    } catch (RegistryFailure e) {
      var exitCode = e instanceof RegistryFailure.RegistryUnreachable ? CommandFailure.NOT_REACHABLE
          : CommandFailure.PROBLEM_FOUND;
      complain(exitCode, "registry: " + e.getMessage());
    }
  }

  /** Asks the smallest of all questions; it costs a call. */
  private void service(SourceSettings source, PrintWriter out) {
    try (var market = new HttpMarketData(source.client().withRetries(0, source.client().backoff()), Mono::empty,
        InstantSource.system(), ServiceClock.system())) {
      market.global(new Query.GlobalMarket()).block();
      out.println("source " + source.name() + ": " + source.client().baseUrl() + " answers");
    } catch (Failure.NotFound e) {
      out.println("source " + source.name() + ": " + source.client().baseUrl() + " answers (it has no /global)");
    } catch (Failure e) {
      var exitCode = e instanceof Failure.Unreachable ? CommandFailure.NOT_REACHABLE : CommandFailure.PROBLEM_FOUND;
      complain(exitCode, "source " + source.name() + ": " + e.getMessage());
    }
  }

  private void complain(int exitCode, @Nullable String problem) {
    var err = Objects.requireNonNull(spec).commandLine().getErr();
    err.println(problem);
    err.flush();
    worst = Math.max(worst, exitCode);
  }
}
