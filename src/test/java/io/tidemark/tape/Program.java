package io.tidemark.tape;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real program in a process of its own, with a configuration and a log beside it. */
public final class Program implements AutoCloseable {
  private static final int PATIENCE_S = 40;

  private final Process process;
  private final Path log;

  private Program(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts {@code tidemark} with these arguments, in a folder. */
  public static Program start(Path folder, String... arguments) {
    var command = new ArrayList<>(List.of(
        ProcessHandle.current().info().command().orElse("java"), "-Xmx768m", "--enable-native-access=ALL-UNNAMED",
        "-cp", System.getProperty("java.class.path"), "io.tidemark.cli.Main"));
    command.addAll(List.of(arguments));
    var log = folder.resolve(arguments[0] + ".log");
    try {
      return new Program(
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start(),
          log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails with what it printed where it has ended by itself. */
  public void assertAtWork() {
    if (!process.isAlive()) {
      throw new AssertionError("the program ended with " + process.exitValue() + ":\n" + log());
    }
  }

  /** As Ctrl-C: everything is put in order first. */
  public void stop() {
    process.destroy();
    await();
  }

  /** As when its machine is gone. */
  public void kill() {
    process.destroyForcibly();
    await();
  }

  /** Waits for its end and returns what it printed. */
  public String await() {
    try {
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the program did not end within " + PATIENCE_S + " s:\n" + log());
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
