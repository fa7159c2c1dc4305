package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/** A main class of these tests in a process of its own; what it prints is printed. It ends with this one. */
final class ChildProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  private ChildProcess(Process process) {
    this.process = process;
    this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  static ChildProcess start(Class<?> main, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of(
        ProcessHandle.current().info().command().orElseThrow(),
        "-cp", System.getProperty("java.class.path"),
        "-Dtidemark.recordings=" + System.getProperty("tidemark.recordings", ""),
        main.getName()));
    command.addAll(List.of(arguments));
    return new ChildProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** The rest of the first line that begins so. */
  String line(String beginning) throws IOException {
    for (var line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(beginning)) {
        return line.substring(beginning.length());
      }
      System.out.println(line);
    }
    throw new IOException("the other process has ended: " + process.onExit().join().exitValue());
  }

  /** For the other process: ends it when its parent has ended. */
  static void endWithTheOther() throws IOException {
    while (System.in.read() >= 0) {
      // nobody says anything
    }
    Runtime.getRuntime().halt(0);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
