package io.tidemark.cli.watch;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows and changes what a source watches while it runs. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what a source watches, adds targets and removes what was added, while it runs.",
      "The configuration is the base; what is added here is in the topic 'watch', with who and when."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ListWatchedCommand.class, AddTargetCommand.class, RemoveTargetCommand.class})
public final class WatchCommand implements Runnable {

  @Spec
  @Nullable
  CommandSpec spec;

  /** Without a command: the help. */
  @Override
  public void run() {
    var command = Objects.requireNonNull(spec).commandLine();
    command.usage(command.getOut());
  }
}
