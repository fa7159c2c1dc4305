package io.tidemark.cli.command;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the program as configured. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Watches the sources of a configuration until stopped (Ctrl-C).")
public final class RunCommand implements Runnable {

  @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  Path config = Path.of("tidemark.yaml");

  @Option(names = "--only", paramLabel = "ROLE",
      description = "Runs one role only: ${COMPLETION-CANDIDATES}; the others run in other processes.")
  @Nullable
  Role only;

  @Option(names = "--stream-states", paramLabel = "DIR",
      description = "The folder of the stream stores (default: 'streams' next to the data folder of the embedded Kafka,"
          + " or ./data/streams if Kafka is not embedded). If the folder is empty, the stores are restored from Kafka.")
  @Nullable
  Path streamStates;

  @Override
  public void run() {
    var settings = Settings.read(config, System.getenv(), LoggerFactory.getLogger(RunCommand.class)::warn);
    Set<Role> roles = only == null ? EnumSet.allOf(Role.class) : EnumSet.of(only);
    try (var parts = new RunningComponents()) {
      var application = new Application(settings, streamStates(settings), parts);
      var cluster = application.start(roles);
      LoggerFactory.getLogger(RunCommand.class).info(
          "started: Kafka at {}, web port {}, management port {}; Ctrl-C stops the program",
          cluster.bootstrapServers(), port(application.webPort()), port(application.managementPort()));
      parts.await();
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
