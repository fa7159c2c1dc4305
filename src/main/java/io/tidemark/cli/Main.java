package io.tidemark.cli;

import io.tidemark.cli.log.LogFormat;
import io.tidemark.cli.settings.WrongSettings;
import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import io.tidemark.topic.RegistryFailure;
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

  static final String VERSION = "0.1.0";

  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private Main() {}

  public static void main(String[] args) {
    try {
      LogFormat.of(System::getenv);
    } catch (IllegalArgumentException e) {
      System.err.println("tidemark: " + e.getMessage());
      System.exit(Failed.WRONG_USAGE);
    }
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
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
    return Failed.WRONG_USAGE;
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
      case Failed failed -> failed.exitCode();
      case WrongSettings wrong -> Failed.WRONG_USAGE;
      case Failure.Unreachable unreachable -> Failed.NOT_REACHABLE;
      case RegistryFailure.Unreachable unreachable -> Failed.NOT_REACHABLE;
      case LedgerFailure.TimedOut timedOut -> Failed.NOT_REACHABLE;
      default -> Failed.FOUND_WRONG;
    };
  }
}
