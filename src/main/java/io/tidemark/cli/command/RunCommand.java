package io.tidemark.cli.command;

import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.Role;
import io.tidemark.cli.wiring.StartedParts;
import io.tidemark.config.Settings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Watches what a configuration says, until stopped (Ctrl-C).")
public final class RunCommand implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

  @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  Path config = Path.of("tidemark.yaml");

  @Option(names = "--only", paramLabel = "ROLE",
      description = "Runs one role only: ${COMPLETION-CANDIDATES}; others run elsewhere.")
  @Nullable
  Role only;

  @Option(names = "--stream-states", paramLabel = "DIR",
      description = "Where streams keep their stores (default: streams in the folder of the embedded Kafka, else"
          + " ./data/streams); what is lost there is restored from Kafka.")
  @Nullable
  Path streamStates;

  @Override
  public void run() {
    var settings = Settings.read(config, System::getenv);
    Set<Role> roles = only == null ? EnumSet.allOf(Role.class) : EnumSet.of(only);
    try (var running = new StartedParts()) {
      var wiring = new Application(settings, streamStates(settings), running);
      var cluster = wiring.start(roles);
      LOG.info("at work on Kafka {}; web port {}, management port {}; Ctrl-C stops",
          cluster.bootstrapServers(), port(wiring.webPort()), port(wiring.managementPort()));
      running.await();
    }
  }

  private static String port(int port) {
    return port == 0 ? "none" : Integer.toString(port);
  }

  private Path streamStates(Settings settings) {
    if (streamStates != null) {
      return streamStates;
    }
    var embedded = settings.kafka().embedded();
    return embedded == null ? Path.of("./data/streams") : embedded.dataFolder().resolveSibling("streams");
  }
}
