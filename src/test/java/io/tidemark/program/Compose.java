package io.tidemark.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The project of {@code docker-compose.yml}, under a name and on ports of its own. */
final class Compose implements AutoCloseable {

  static final Path ROOT = Path.of(System.getProperty("basedir", "."));

  private final String project = "tidemark-" + UUID.randomUUID().toString().substring(0, 8);
  private final Map<String, String> variables = new HashMap<>();
  final int kafkaPort = freePort();
  final int registryPort = freePort();

  Compose() {
    variables.put("KAFKA_PORT", Integer.toString(kafkaPort));
    variables.put("REGISTRY_PORT", Integer.toString(registryPort));
    variables.put("WEB_PORT", Integer.toString(freePort()));
    variables.put("MANAGEMENT_PORT", Integer.toString(freePort()));
  }

  Compose with(String variable, String value) {
    variables.put(variable, value);
    return this;
  }

  /** Runs a command of compose and returns what it printed. */
  String run(String... command) {
    var commandLine = new ArrayList<>(List.of("docker", "compose", "-p", project));
    commandLine.addAll(List.of(command));
    var builder = new ProcessBuilder(commandLine).directory(ROOT.toFile()).redirectErrorStream(true);
    builder.environment().putAll(variables);
    try {
      var process = builder.start();
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", commandLine) + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Takes everything away, volumes too. */
  @Override
  public void close() {
    run("down", "--volumes", "--timeout", "5");
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
