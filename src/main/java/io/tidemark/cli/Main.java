package io.tidemark.cli;

import io.tidemark.cli.command.AuditCommand;
import io.tidemark.cli.command.CheckCommand;
import io.tidemark.cli.command.DemoCommand;
import io.tidemark.cli.command.ReceiversCommand;
import io.tidemark.cli.command.RunCommand;
import io.tidemark.cli.command.SchemasCommand;
import io.tidemark.cli.command.SimulateCommand;
import io.tidemark.cli.command.TailCommand;
import io.tidemark.cli.command.TopicsCommand;
import io.tidemark.cli.deadletters.DeadLettersCommand;
import io.tidemark.cli.log.LogFormat;
import io.tidemark.cli.rules.RulesCommand;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import io.tidemark.topic.RegistryFailure;
import io.tidemark.yaml.YamlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program: reads what is asked for and says how it went. */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    version = "tidemark " + Main.VERSION,
    description = "Change data capture for a polled market data service.",
    footer = {"", "Exit codes: 0 done, 1 found something wrong, 2 wrong usage, 3 not reachable."},
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      RunCommand.class,
      CheckCommand.class,
      TailCommand.class,
      TopicsCommand.class,
      AuditCommand.class,
      SchemasCommand.class,
      DeadLettersCommand.class,
      RulesCommand.class,
      ReceiversCommand.class,
      SimulateCommand.class
    })
public final class Main {

  public static final String VERSION = "0.1.0";

  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private Main() {}

  public static void main(String[] args) {
    try {
      LogFormat.of(System::getenv);
    } catch (IllegalArgumentException e) {
      System.err.println("tidemark: " + e.getMessage());
      System.exit(CommandFailure.WRONG_USAGE);
    }
    System.exit(commandLine().execute(args));
  }

  public static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(Main::ended)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::misused)
        .setUsageHelpAutoWidth(true);
  }

  private static int misused(CommandLine.ParameterException wrong, String[] args) {
    var command = wrong.getCommandLine();
    var name = command.getCommandSpec().qualifiedName();
    command.getErr().println("tidemark: " + wrong.getMessage() + "\n'" + name + " --help' says what is possible.");
    command.getErr().flush();
    return CommandFailure.WRONG_USAGE;
  }

  /** One message, no stack trace; that is in the log at debug level. Programs that read the log find it there. */
  private static int ended(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    LOG.debug("the command ended", failure);
    var message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    if (LogFormat.of(System::getenv) == LogFormat.JSON) {
      LOG.error("{}", message);
    } else {
      command.getErr().println("tidemark: " + message);
      command.getErr().flush();
    }
    return exitCode(failure);
  }

  private static int exitCode(Exception failure) {
    return switch (failure) {
      case CommandFailure failed -> failed.exitCode();
      case YamlException wrong -> CommandFailure.WRONG_USAGE;
      case Failure.Unreachable unreachable -> CommandFailure.NOT_REACHABLE;
      case RegistryFailure.RegistryUnreachable unreachable -> CommandFailure.NOT_REACHABLE;
      case LedgerFailure.TimedOut timedOut -> CommandFailure.NOT_REACHABLE;
      default -> CommandFailure.PROBLEM_FOUND;
    };
  }
}
