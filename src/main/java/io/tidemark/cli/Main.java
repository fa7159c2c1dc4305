package io.tidemark.cli;

import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.app.log.LogSettings;
import io.tidemark.app.log.LogSettings.LogFormat;
import io.tidemark.cli.command.AuditCommand;
import io.tidemark.cli.command.CheckCommand;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.command.ExportCommand;
import io.tidemark.cli.command.KeyCommand;
import io.tidemark.cli.command.RebuildCommand;
import io.tidemark.cli.command.ReceiversCommand;
import io.tidemark.cli.command.RunCommand;
import io.tidemark.cli.command.SchemasCommand;
import io.tidemark.cli.command.TailCommand;
import io.tidemark.cli.command.TopicsCommand;
import io.tidemark.cli.deadletters.DeadLettersCommand;
import io.tidemark.cli.plan.InitCommand;
import io.tidemark.cli.plan.PlanCommand;
import io.tidemark.cli.print.TerminalWriter;
import io.tidemark.cli.rules.RulesCommand;
import io.tidemark.cli.watch.WatchCommand;
import io.tidemark.event.NameSuggestion;
import io.tidemark.rule.file.RuleException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The program {@code tidemark}: runs the command given by the arguments and exits with its code. Commands create
 * their logger when they log, not when their class is loaded, since {@code --help} needs no log.
 */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    versionProvider = Main.BuildVersion.class,
    description = "Change data capture for a polled market data service.",
    footer = {"", "Exit codes: 0 done, 1 problem found, 2 wrong usage, 3 Kafka, registry or service not reachable."},
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {

  /** The commands, in the order of the help. */
  private static final List<ListedCommand> COMMANDS = List.of(
      ListedCommand.ofLibEmbedded("demo", "io.tidemark.cli.demo.DemoCommand",
          "Runs everything on this machine over a simulated market, and prints changes until stopped (Ctrl-C)."),
      ListedCommand.of(RunCommand.class),
      ListedCommand.of(CheckCommand.class),
      ListedCommand.of(InitCommand.class),
      ListedCommand.of(PlanCommand.class),
      ListedCommand.of(TailCommand.class),
      ListedCommand.of(ExportCommand.class),
      ListedCommand.of(TopicsCommand.class),
      ListedCommand.of(AuditCommand.class),
      ListedCommand.of(RebuildCommand.class),
      ListedCommand.of(SchemasCommand.class),
      ListedCommand.of(DeadLettersCommand.class),
      ListedCommand.of(WatchCommand.class),
      ListedCommand.of(RulesCommand.class),
      ListedCommand.of(ReceiversCommand.class),
      ListedCommand.of(KeyCommand.class),
      ListedCommand.ofLibEmbedded("simulate", "io.tidemark.cli.demo.SimulateCommand",
          "Serves a simulated market over the interface until stopped (Ctrl-C)."),
      ListedCommand.ofLibEmbedded("bench", "io.tidemark.bench.BenchCommand",
          "Measures capacity, waiting times and memory on this machine, each compared with its aim."));

  private static final Set<String> HELP_AND_VERSION = Set.of("-h", "--help", "-V", "--version");

  /** Prints the version, with the commit and its day if the build knew them. */
  static final class BuildVersion implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      var build = new Properties();
      try (var properties = Main.class.getResourceAsStream("build.properties")) {
        if (properties != null) {
          build.load(properties);
        }
      }
      var commit = build.getProperty("git.commit.id.abbrev", "");
      var day = build.getProperty("git.commit.time", "");
      return new String[] {"tidemark " + Application.VERSION
          + (commit.isEmpty() ? "" : " (commit %s of %s)".formatted(commit, day))};
    }
  }

  /**
   * A command as the help lists it. Its object is created only when its options are read. The class of a command of
   * {@code lib/embedded} is not loaded before that.
   */
  private record ListedCommand(String name, List<String> description, Supplier<Object> command) {

    static ListedCommand of(Class<?> command) {
      var described = Objects.requireNonNull(command.getAnnotation(Command.class));
      return new ListedCommand(described.name(), List.of(described.description()), () -> command);
    }

    /**
     * Returns a command whose class is in a jar of {@code lib/embedded}, a folder that an installation for production
     * lacks.
     */
    static ListedCommand ofLibEmbedded(String name, String className, String description) {
      return new ListedCommand(name, List.of(description), () -> {
        try {
          return Class.forName(className);
        } catch (ClassNotFoundException e) {
          return new NotInstalledCommand(name);
        }
      });
    }

    void addTo(CommandLine program, boolean withOptions) {
      var added = new CommandLine(withOptions ? command.get() : CommandSpec.create());
      added.getCommandSpec().usageMessage().description(description.toArray(String[]::new));
      program.addSubcommand(name, added);
    }
  }

  /** A placeholder for a command of {@code lib/embedded} in an installation without that folder. */
  @Command
  static final class NotInstalledCommand implements Runnable {

    private final String name;

    @Unmatched
    List<String> arguments = new ArrayList<>();

    NotInstalledCommand(String name) {
      this.name = name;
    }

    @Override
    public void run() {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "this installation has no " + name
          + "; a release archive and the image with the tag demo have it, in lib/embedded");
    }
  }

  /** Standard output. It keeps the last failure, which {@link PrintStream} hides. */
  private static final class StandardOutput extends FileOutputStream {

    private volatile @Nullable IOException failure;

    StandardOutput() {
      super(FileDescriptor.out);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      try {
        super.write(bytes, from, count);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    /** Returns why output is missing, or null if none is, or if its reader has enough. */
    @Nullable
    CommandFailure problem() {
      return failure == null || CliCommand.hasReaderEnough(failure)
          ? null
          : new CommandFailure(CommandFailure.PROBLEM_FOUND,
              "standard output cannot be written: " + failure.getMessage());
    }
  }

  @Spec
  @Nullable
  CommandSpec spec;

  private Main() {}

  @Override
  public void run() {
    var command = Objects.requireNonNull(spec).commandLine();
    command.usage(command.getOut());
  }

  public static void main(String[] args) {
    try {
      LogSettings.of(System::getenv);
    } catch (IllegalArgumentException e) {
      System.err.println("tidemark: " + e.getMessage());
      System.exit(CommandFailure.WRONG_USAGE);
    }
    var output = new StandardOutput();
    System.setOut(new PrintStream(output, true, System.out.charset()));
    var program = commandLine(List.of(args));
    var exitCode = program.execute(args);
    var problem = output.problem();
    System.exit(problem == null ? exitCode : Math.max(exitCode, failed(problem, program, program.getParseResult())));
  }

  public static CommandLine commandLine() {
    return commandLine(name -> true);
  }

  /**
   * Returns the command line for the given arguments. If the first argument names a command, only that command has
   * options, and if the only argument asks for help or the version, none has. All other commands then have only a name
   * and a description for the help, because reading the options of all commands takes longer than running a short
   * command. For any other arguments, such as {@code help run}, all commands have options.
   */
  static CommandLine commandLine(List<String> args) {
    var first = args.isEmpty() ? "--help" : args.getFirst();
    var isNamed = COMMANDS.stream().anyMatch(command -> command.name().equals(first));
    var isPlain = isNamed || (args.size() <= 1 && HELP_AND_VERSION.contains(first));
    return commandLine(name -> !isPlain || name.equals(first));
  }

  private static CommandLine commandLine(Predicate<String> isRead) {
    var program = new CommandLine(new Main());
    COMMANDS.forEach(command -> command.addTo(program, isRead.test(command.name())));
    return program
        .addSubcommand(new CommandLine.HelpCommand())
        .setExecutionExceptionHandler(Main::failed)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::misused)
        .setUsageHelpAutoWidth(true);
  }

  private static int misused(CommandLine.ParameterException wrong, String[] args) {
    var command = wrong.getCommandLine();
    var name = command.getCommandSpec().qualifiedName();
    var nearest = nearestName(wrong);
    complain(command, nearest != null ? nearest : wrong.getMessage() + "\n'" + name + " --help' lists the options.");
    return CommandFailure.WRONG_USAGE;
  }

  /**
   * Returns the message for an unknown command or option, or null if no known name is similar or the usage is wrong in
   * another way.
   */
  private static @Nullable String nearestName(CommandLine.ParameterException wrong) {
    if (!(wrong instanceof UnmatchedArgumentException unmatched)) {
      return null;
    }
    var name = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
    var isOption = name.startsWith("-");
    var known = isOption
        ? wrong.getCommandLine().getCommandSpec().optionsMap().keySet()
        : wrong.getCommandLine().getSubcommands().keySet();
    var begun = name.length() < 4 ? List.<String>of() : known.stream().filter(each -> each.startsWith(name)).toList();
    var nearest = begun.size() == 1 ? begun.getFirst() : NameSuggestion.nearest(name, known);
    return nearest == null
        ? null
        : "there is no " + (isOption ? "option" : "command") + " '" + name + "'; did you mean '" + nearest + "'?";
  }

  /**
   * Prints a message and logs the stack trace at debug level. If logs are JSON, logs the message instead of printing
   * it. Returns the exit code.
   */
  private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    var log = LoggerFactory.getLogger(Main.class);
    log.debug("the command failed", failure);
    var message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    if (LogSettings.of(System::getenv).format() == LogFormat.JSON) {
      log.error("{}", message);
    } else if (failure instanceof RuleException) { // a line for each problem, which begins with the file
      new TerminalWriter(command.getErr()).println(message);
    } else {
      complain(command, message);
    }
    return CommandFailure.exitCodeOf(failure);
  }

  /** Prints a message with control characters escaped, since it may repeat names that others chose. */
  private static void complain(CommandLine command, String message) {
    new TerminalWriter(command.getErr()).println("tidemark: " + message);
  }
}
