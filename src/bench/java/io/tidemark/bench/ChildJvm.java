package io.tidemark.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM in a separate process with the class path of this JVM. It answers requests of one line each. Its work does not
 * count as processor time of this process. It ends when it is closed, and when this process ends.
 */
final class ChildJvm implements AutoCloseable {
  private static final String PROGRAM = "io.tidemark.cli.Main";
  private static final String ANSWER = "bench: ";
  private static final List<String> PASSED_ON = List.of(
      "--sun-misc-unsafe-memory-access", "-XX:SharedArchiveFile", "-XX:TieredStopAtLevel");

  private final Process process;
  private final BufferedReader answers;

  private ChildJvm(Process process) {
    this.process = process;
    this.answers = process.inputReader(UTF_8);
  }

  /** Starts a JVM with a main class. */
  static ChildJvm start(Class<?> main, String... arguments) {
    return start("-Xmx1g", main, arguments);
  }

  /** Starts a JVM with a main class and an option of the JVM. */
  static ChildJvm start(String option, Class<?> main, String... arguments) {
    var command = java(List.of(option));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    try {
      return new ChildJvm(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the command, without a main class, that starts a JVM with the class path and some options of this JVM. */
  static List<String> java(List<String> options) {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.add("--enable-native-access=ALL-UNNAMED");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> PASSED_ON.stream().anyMatch(argument::startsWith))
        .forEach(command::add);
    command.addAll(options);
    command.addAll(List.of("-cp", requireNonNull(System.getProperty("java.class.path"))));
    return command;
  }

  /** Returns the command that starts this program with options of the JVM. */
  static List<String> programCommand(List<String> options, String... arguments) {
    var command = java(options);
    command.add(PROGRAM);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Sends a request, and waits for the answer. */
  String ask(String request) {
    try {
      var out = process.getOutputStream();
      out.write((request + "\n").getBytes(UTF_8));
      out.flush();
      return answer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the next answer. */
  String answer() {
    try {
      for (var line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.startsWith(ANSWER)) {
          return line.substring(ANSWER.length());
        }
      }
      throw new IllegalStateException(
          "a process of the bench ended before it answered: " + process.info().commandLine().orElse("java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends an answer from a process that this class started to its parent. */
  static void reply(String answer) {
    System.out.println(ANSWER + answer);
    System.out.flush();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
