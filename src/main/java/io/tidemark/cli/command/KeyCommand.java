package io.tidemark.cli.command;

import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.access.AccessRight;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates keys with which clients access the web port. */
@Command(
    name = "key",
    mixinStandardHelpOptions = true,
    description = "Creates keys with which clients access the web port.",
    synopsisSubcommandLabel = "COMMAND")
public final class KeyCommand extends CliCommand {

  @Command(name = "new", mixinStandardHelpOptions = true,
      description = "Generates and prints a key, and the lines to add to the configuration so that the web server"
          + " accepts the key.")
  void create(
      @Option(names = "--name", paramLabel = "NAME", defaultValue = "reader",
          description = "The person or program that gets the key, named as the author of what the key changes"
              + " (default: ${DEFAULT-VALUE}).") String name,
      @Option(names = "--right", paramLabel = "RIGHT", defaultValue = "read",
          description = "read; write, which also permits adding and ending silences; or configure, which also"
              + " permits changing rules and the watch list (default: ${DEFAULT-VALUE}).") AccessRight right,
      @Option(names = "--per-minute", paramLabel = "N", defaultValue = "" + AccessKey.DEFAULT_PER_MINUTE,
          description = "Requests per minute to each instance (default: ${DEFAULT-VALUE}).") int perMinute) {
    var text = AccessKeys.generate();
    var line = key(name, AccessKeys.hash(text), right, perMinute).configuration();
    out().println("# The key of " + name + ", for the header \"Authorization: Bearer KEY\"."
        + " The key is shown only once.");
    out().println(text);
    out().println();
    out().println("# The lines of the configuration that accept the key; they contain only its hash:");
    List.of("web:", "  keys:", "    - " + line).forEach(out()::println);
    out().flush();
  }

  private AccessKey key(String name, String hash, AccessRight right, int perMinute) {
    try {
      return new AccessKey(name, hash, Set.of(right), perMinute);
    } catch (IllegalArgumentException e) {
      throw wrongUsage("--" + e.getMessage());
    }
  }
}
