package io.tidemark.eventlog;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The real program in a process of its own, with its configuration and log in a folder. */
public final class ProgramProcess implements AutoCloseable {
  /** Options of a JVM that ends soon: it compiles little, and collects without threads of its own. */
  public static final List<String> SHORT_RUN = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /**
   * Parts of error lines, as text or JSON, that a busy machine can cause: a stop that abandons the stores, which Kafka
   * Streams then restores, and a Kafka that does not answer in time.
   */
  public static final List<String> ERRORS_OF_A_BUSY_MACHINE =
      List.of("TaskCorruptedException", " KafkaOutage: ", ".KafkaOutage\"");

  private static final int WAIT_SECONDS = 120;

  private final Process process;
  private final Path log;

  private ProgramProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts {@code tidemark} with these arguments, in a folder. */
  public static ProgramProcess start(Path folder, String... arguments) {
    return start("io.tidemark.cli.Main", folder, arguments);
  }

  /** Starts another main class of this project. */
  public static ProgramProcess start(String main, Path folder, String... arguments) {
    return start(classPath(), main, folder, arguments);
  }

  /** Starts {@code tidemark} with classes that replace those of this version. */
  static ProgramProcess startWith(Path classes, Path folder, String... arguments) {
    return start(classes + File.pathSeparator + classPath(), "io.tidemark.cli.Main", folder, arguments);
  }

  private static ProgramProcess start(String classPath, String main, Path folder, String... arguments) {
    var command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-Xmx768m"));
    command.addAll(SHORT_RUN);
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath, main));
    command.addAll(List.of(arguments));
    try {
      var log = Files.createTempFile(folder, arguments[0] + "-", ".log");
      var process = new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .start();
      return new ProgramProcess(process, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the class path with absolute paths, which are valid in any working folder. */
  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(each -> Path.of(each).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Fails with its output if it has ended by itself. */
  public void assertAtWork() {
    if (!process.isAlive()) {
      throw new AssertionError("the program ended with " + process.exitValue() + ":\n" + log());
    }
  }

  public boolean isAtWork() {
    return process.isAlive();
  }

  /** Stops it in order, as Ctrl-C does. */
  public void stop() {
    process.destroy();
    await();
  }

  /** Kills it, as if its machine failed. */
  public void kill() {
    process.destroyForcibly();
    await();
  }

  /** Sends it a signal by its name, such as STOP. */
  public void signal(String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Waits for its end and returns its output. */
  public String await() {
    try {
      if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the program did not end within " + WAIT_SECONDS + " s:\n" + log());
      }
      return log();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
