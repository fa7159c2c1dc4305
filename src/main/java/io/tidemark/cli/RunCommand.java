package io.tidemark.cli;

import io.tidemark.cli.settings.Settings;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = "Watches what a configuration says, until stopped (Ctrl-C).")
final class RunCommand implements Runnable {

  @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  Path config = Path.of("tidemark.yaml");

  @Option(names = "--only", paramLabel = "ROLE",
      description = "Runs one role only: ${COMPLETION-CANDIDATES}; others run elsewhere.")
  @Nullable Role only;

  @Option(names = "--stream-states", paramLabel = "DIR", defaultValue = "./data/streams",
      description = "Where streams keep their stores (default: ${DEFAULT-VALUE}); lost ones are restored from Kafka.")
  Path streamStates = Path.of("./data/streams");

  @Override
  public void run() {
    var settings = Settings.read(config, System::getenv);
    Set<Role> roles = only == null ? EnumSet.allOf(Role.class) : EnumSet.of(only);
    try (var running = new Running()) {
      var cluster = new Wiring(settings, streamStates, running).start(roles);
      System.err.println("tidemark: at work on Kafka " + cluster.bootstrapServers() + "; Ctrl-C stops");
      running.await();
    }
  }
}
