package io.tidemark.cli.command;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.config.Settings;
import io.tidemark.receiver.Receiver;
import io.tidemark.receiver.Receivers;
import io.tidemark.yaml.Spelling;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "test",
    mixinStandardHelpOptions = true,
    description = "Sends a receiver one alert made up for it, and says what came of it.")
final class TestReceiverCommand implements Runnable {

  @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  Path config = Path.of("tidemark.yaml");

  @Parameters(paramLabel = "NAME", description = "The receiver, by its name in the configuration.")
  String name = "";

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var receiver = receiver(Settings.read(config, System::getenv).receivers());
    var trouble = Receivers.sendTest(receiver, Instant.now());
    if (trouble != null) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, receiver + " was not reached: " + trouble);
    }
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    out.println(receiver + " has taken a test alert");
    out.flush();
  }

  private Receiver receiver(List<Receiver> receivers) {
    var names = receivers.stream().map(Receiver::name).toList();
    return receivers.stream().filter(receiver -> receiver.name().equals(name)).findFirst().orElseThrow(() -> {
      var nearest = Spelling.nearest(name, names);
      return new CommandFailure(CommandFailure.WRONG_USAGE, "there is no receiver '" + name + "'"
          + (nearest == null ? "; there are " + names : "; did you mean '" + nearest + "'?"));
    });
  }
}
