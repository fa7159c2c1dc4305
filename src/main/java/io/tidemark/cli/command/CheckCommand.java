package io.tidemark.cli.command;

import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.app.KafkaCluster;
import io.tidemark.app.Registries;
import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.event.NameSuggestion;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.notify.Receiver;
import io.tidemark.rule.Rule;
import io.tidemark.rule.file.RuleException;
import io.tidemark.serve.access.AccessSettings;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import io.tidemark.stream.alert.AlertsWithoutRule;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** Checks a configuration, and that Kafka, registry and services answer. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = "Checks a configuration, and that Kafka, registry and services answer.")
public final class CheckCommand extends CliCommand implements Callable<Integer> {

  @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  Path config = Path.of("tidemark.yaml");

  @Option(names = "--offline", description = "Reads the configuration only; connects to nothing.")
  boolean offline;

  private int exitCode;

  @Override
  public Integer call() {
    var settings = Settings.read(config, System.getenv(), this::complain);
    settings.sources().forEach(this::printSummary);
    checkRules(settings);
    checkWeb(settings);
    if (!offline) {
      checkKafka(settings);
      checkRegistry(settings);
      settings.sources().forEach(this::checkService);
    }
    return exitCode;
  }

  private void printSummary(SourceSettings source) {
    out().printf("source %s: %s, %s; one round takes up to %s; limits: %d calls a minute, %d calls a month; %s%n",
        source.name(), TerminalText.counted(source.watch().targets().size(), "target"),
        TerminalText.counted(source.watch().histories().size(), "history"),
        TerminalText.counted(source.watch().callsPerRound(), "call"), source.limits().perMinute(),
        source.limits().perMonth(),
        source.client().keys().isEmpty() ? "no API key"
            : TerminalText.counted(source.client().keys().size(), "API key"));
    source.watch().targets().stream()
        .map(WatchedTarget::target)
        .filter(target -> target.pages() > MarketRoutes.LAST_PAGE_OF_POOLS
            && !(target.query() instanceof Query.CoinTickers))
        .forEach(
            target -> out().printf("source %s: %s is configured for %d pages; pages beyond page %d need a paid plan%n",
                source.name(), target.name(), target.pages(), MarketRoutes.LAST_PAGE_OF_POOLS));
  }

  private void checkRules(Settings settings) {
    try {
      var topics = Application.topics(settings, settings.sources().getFirst());
      var rules = settings.rules().compile(topics.ruleSchemas()).rules();
      out().println("rules: " + rules.size() + "; 'tidemark rules check' lists the rules that get no data");
      checkReceivers(settings.receivers(), rules.stream().map(Rule::name).toList());
    } catch (RuleException e) {
      problem(CommandFailure.PROBLEM_FOUND, e.getMessage());
    }
  }

  /** Prints the rules that receivers select but that the configuration lacks. Commands may have added them. */
  private void checkReceivers(List<Receiver> receivers, List<String> rules) {
    for (var receiver : receivers) {
      receiver.match().rules().stream()
          .filter(name -> !rules.contains(name) && !AlertsWithoutRule.NAMES.contains(name)).sorted()
          .forEach(name -> out().printf("receiver %s: the configuration has no rule '%s'; %s%n", receiver.name(), name,
              NameSuggestion.suggestion(name, rules, "is it applied with 'tidemark rules apply'?")));
    }
  }

  /** Prints who can read from the web port, and checks its certificate. */
  private void checkWeb(Settings settings) {
    var web = settings.web();
    out().println("web: " + web.address() + " port " + web.port() + ", " + readers(settings.access()));
    var tls = settings.webTls();
    if (tls == null) {
      return;
    }
    try {
      var end = tls.check();
      if (end.isBefore(InstantSource.system().instant())) {
        problem(CommandFailure.PROBLEM_FOUND, "web.tls: the certificate expired at " + end);
      } else {
        out().println("web: TLS; the certificate is valid until " + end);
      }
    } catch (IllegalArgumentException e) {
      problem(CommandFailure.PROBLEM_FOUND, "web." + e.getMessage());
    }
  }

  private static String readers(AccessSettings access) {
    var keys = access.keys().stream()
        .map(
            key -> key.name() + (key.rights().size() == 1 ? "" : " (may " + Collections.max(key.rights()).wire() + ")"))
        .toList();
    var list = keys.isEmpty() ? "no keys" : "keys of " + String.join(", ", keys);
    return access.anonymous() == AnonymousAccess.ANYWHERE ? list + "; whoever reaches the port may read without a key"
        : access.isLocalOnly() ? list + "; this machine only" : list;
  }

  private void checkKafka(Settings settings) {
    var kafka = settings.kafka();
    if (kafka.embedded() != null) {
      out().println("Kafka: embedded, on port " + kafka.embedded().port() + "; not started by this check");
      return;
    }
    try {
      var cluster = KafkaCluster.connect(Objects.requireNonNull(kafka.bootstrapServers()), kafka.properties());
      out().println("Kafka: answers at " + cluster.bootstrapServers());
    } catch (CommandFailure e) {
      problem(e.exitCode(), e.getMessage());
    }
  }

  private void checkRegistry(Settings settings) {
    var topics = Application.topics(settings);
    var registry = Registries.of(settings.registry(), topics);
    try {
      var topic = topics.getFirst();
      registry.id(topic.subject(), topic.schema());
      out().println("registry: " + registry.identity() + " answers");
    } catch (SchemaRegistryFailure e) {
      problem(CommandFailure.exitCodeOf(e), "registry: " + e.getMessage());
    }
  }

  /** Sends one small request to the service, which costs one call. */
  private void checkService(SourceSettings source) {
    var service = "source " + source.name() + ": ";
    try (var market = new HttpMarketData(source.client().withRetries(0, source.client().backoff()), Mono::empty,
        InstantSource.system(), new ServiceClock(System::nanoTime))) {
      market.global(new Query.GlobalMarket()).block();
      var keys = source.client().keys().size();
      out().println(service + source.client().baseUrl() + " answers"
          + (keys > 1 ? "; of its " + keys + " API keys, only the first was tried" : ""));
    } catch (Failure.NotFound e) {
      out().println(service + source.client().baseUrl() + " answers (the service has no /global)");
    } catch (Failure.BadKey e) {
      problem(CommandFailure.PROBLEM_FOUND, service + "the service rejects the API key; correct the key, or"
          + " key-header and base-url, which must belong to the same plan. Cause: " + e.getMessage());
    } catch (Failure e) {
      problem(CommandFailure.exitCodeOf(e), service + e.getMessage());
    }
  }

  private void problem(int exitCode, @Nullable String message) {
    complain(message);
    this.exitCode = Math.max(this.exitCode, exitCode);
  }
}
