package io.tidemark.cli.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.event.NameSuggestion;
import io.tidemark.event.SafeText;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.notify.Receiver;
import io.tidemark.notify.Receivers;
import io.tidemark.notify.Receivers.DeliveryProgress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the progress of receivers, and tests them. */
@Command(
    name = "receivers",
    mixinStandardHelpOptions = true,
    description = "Lists the receivers of alerts with their progress, and tests a receiver.",
    synopsisSubcommandLabel = "COMMAND")
public final class ReceiversCommand extends CliCommand {

  private static final int LONGEST_PROBLEM = 120;
  /** Maximum number of bytes of a notification that are printed. */
  private static final int MOST_BYTES = 64 * 1024;

  /** Columns of a line, and indent of a receiver's problem. */
  private static final int COLUMNS = 80;
  private static final int INDENT = 21;

  @Command(mixinStandardHelpOptions = true,
      description = "Lists the receivers, for each source, with the number of waiting alerts, the last delivery, and"
          + " the last problem.")
  void list(@Mixin ClusterOptions cluster) {
    var settings = cluster.settings();
    if (cluster.config == null || settings == null) {
      throw new CommandFailure(
          CommandFailure.WRONG_USAGE, "--config is missing; the configuration names the receivers");
    }
    var receivers = Settings.readReceivers(cluster.config, System::getenv);
    if (receivers.isEmpty()) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, cluster.config
          + " names no receivers; docs/using/receivers.md shows how to add one, and 'demo --receiver URL' starts"
          + " with one");
    }
    try (var admin = cluster.admin()) {
      for (var source : settings.sources()) {
        var topics = Application.topics(settings, source);
        try (var reader = cluster.reader(List.of(topics.alerts()))) {
          var of = settings.sources().size() == 1 ? "" : " of " + source.name();
          receivers.forEach(receiver -> print(receiver, receiver.name() + of, topics, admin, reader));
        }
      }
    } catch (KafkaException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE,
          "Kafka does not return the offsets of the receivers: " + e.getMessage());
    }
  }

  @Command(mixinStandardHelpOptions = true, description = "Sends a test alert to a receiver, and prints the result.")
  void test(
      @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
          description = "The configuration (default: ${DEFAULT-VALUE}).") Path config,
      @Parameters(paramLabel = "NAME", description = "The name of the receiver in the configuration.") String name) {
    var receiver = receiver(name, Settings.readReceivers(config, System::getenv));
    var problem = Receivers.sendTest(receiver, Instant.now());
    if (problem != null) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          receiver + ": the test alert was not delivered: " + problem);
    }
    out().println(receiver + ": the test alert was delivered");
  }

  @Command(mixinStandardHelpOptions = true,
      description = {
        "Listens on this machine as a receiver, and prints each notification that it gets, until stopped (Ctrl-C).",
        "Together with 'tidemark demo --receiver http://127.0.0.1:9999', it shows the notifications that your own"
            + " receiver would get."
      })
  void listen(
      @Option(names = "--port", paramLabel = "PORT", defaultValue = "9999",
          description = "The port; 0 takes any free one (default: ${DEFAULT-VALUE}).") int port,
      @Option(names = "--count", paramLabel = "N",
          description = "Stops after this many notifications.") @Nullable Integer count) {
    if (port < 0 || port > 65_535) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "--port: must be 0 (any free port) to 65535, got " + port);
    }
    if (count != null && count < 1) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "--count: must be at least 1, got " + count);
    }
    var remaining = new CountDownLatch(count == null ? Integer.MAX_VALUE : count);
    var server = server(port);
    server.createContext("/", exchange -> {
      var body = answer(exchange);
      if (body != null) {
        out().println(SafeText.escapedLines(body));
        out().flush();
        remaining.countDown();
      }
    });
    server.start();
    complain("Listens at http://127.0.0.1:" + server.getAddress().getPort() + "; Ctrl-C stops it.");
    try {
      remaining.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.stop(0);
    }
  }

  /** Returns a server on the loopback address, which answers requests one after another. */
  private static HttpServer server(int port) {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new CommandFailure(
          CommandFailure.PROBLEM_FOUND, "--port: cannot listen on port " + port + ": " + e.getMessage());
    }
  }

  /** Answers a request, and returns the beginning of its body, or null if it is not a POST request. */
  private static @Nullable String answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readNBytes(MOST_BYTES);
      var isNotification = exchange.getRequestMethod().equals("POST");
      exchange.sendResponseHeaders(isNotification ? 204 : 405, -1);
      return isNotification ? new String(body, StandardCharsets.UTF_8) : null;
    }
  }

  private static Receiver receiver(String name, List<Receiver> receivers) {
    var names = receivers.stream().map(Receiver::name).toList();
    return receivers.stream().filter(receiver -> receiver.name().equals(name)).findFirst().orElseThrow(() -> {
      var nearest = NameSuggestion.nearest(name, names);
      return new CommandFailure(CommandFailure.WRONG_USAGE, "there is no receiver '" + name + "'"
          + (nearest == null ? "; the receivers are " + names : "; did you mean '" + nearest + "'?"));
    });
  }

  private void print(Receiver receiver, String name, Topics topics, Admin admin, TopicReader reader) {
    var group = Receivers.group(receiver.name(), topics);
    var committed = AdminCalls.await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    var progress = committed.values().stream()
        .map(position -> DeliveryProgress.of(position.metadata()))
        .max(Comparator.comparing(DeliveryProgress::deliveredAt).thenComparing(each -> !each.problem().isEmpty()));
    out().printf("%-20s %s%n", name, committed.isEmpty()
        ? "not started"
        : waiting(receiver, committed, reader) + " waiting; " + progress.map(ReceiversCommand::delivered).orElse(""));
    progress.map(DeliveryProgress::problem).filter(problem -> !problem.isEmpty())
        .map(problem -> SafeText.singleLine(problem, LONGEST_PROBLEM)).stream()
        .flatMap(problem -> TerminalText.wrapped(problem, COLUMNS - INDENT).stream())
        .forEach(line -> out().println(" ".repeat(INDENT) + line));
  }

  private static String delivered(DeliveryProgress progress) {
    return progress.deliveredAt().isEmpty() ? "nothing delivered" : "last delivery " + progress.deliveredAt();
  }

  private static long waiting(
      Receiver receiver, Map<TopicPartition, OffsetAndMetadata> committed, TopicReader reader) {
    var offsets = new HashMap<TopicPartition, Long>();
    committed.forEach((partition, position) -> offsets.put(partition, position.offset()));
    var aside =
        committed.values().stream().mapToLong(each -> DeliveryProgress.of(each.metadata()).aside().size()).sum();
    return aside + Receivers.waiting(receiver, offsets, reader);
  }
}
