package io.tidemark.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long the command line takes to start: the help, beside a JVM that does nothing; the demo until its first change,
 * beside a broker alone. Each in a process of its own, with the options and the class archive of this one.
 */
final class StartBench implements BenchPart {
  private static final String PROGRAM = "io.tidemark.cli.Main";
  private static final int MOST_ROUNDS = 3;
  private static final double REACH = 0.5;
  private static final double SECOND = 1e9;

  /** As the launcher starts commands that end soon. */
  private static final List<String> SHORT = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** The title of the table of changes that the demo prints, the first of which follows. */
  private static final String TITLE = "time ";

  @Override
  public String name() {
    return "start";
  }

  @Override
  public String description() {
    return "--help; limit: an empty JVM with the same class path. demo until its first change; limit: the embedded"
        + " broker alone";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var rounds = settings.atMost(MOST_ROUNDS).rounds();
    var help = new double[2][rounds];
    var demo = new double[2][rounds];
    for (var round = 0; round < rounds; round++) {
      help[0][round] = ended(SHORT, PROGRAM, "--help");
      help[1][round] = ended(SHORT, Nothing.class.getName());
      demo[0][round] = demo();
      demo[1][round] = broker();
      progress.update(round + 1L, rounds);
    }
    return List.of(result("start, --help", help), result("start, demo", demo));
  }

  private static BenchResult result(String name, double[][] seconds) {
    var ratios = new double[seconds[0].length];
    for (var round = 0; round < ratios.length; round++) {
      ratios[round] = seconds[1][round] / seconds[0][round];
    }
    return new BenchResult(name, "s", Comparison.median(seconds[0]), Comparison.median(seconds[1]),
        Comparison.median(ratios), REACH);
  }

  private static double since(long begun) {
    return (System.nanoTime() - begun) / SECOND;
  }

  private static double ended(List<String> options, String... command) {
    var begun = System.nanoTime();
    try {
      var process = start(options, command);
      process.getInputStream().readAllBytes();
      var code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException("start: exit code " + code);
      }
      return since(begun);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static double demo() {
    try {
      var data = Files.createTempDirectory("tidemark-bench");
      var begun = System.nanoTime();
      var process = start(
          List.of("-Xmx1g"), PROGRAM, "demo", "--port", "0", "--kafka-port", "0", "--data", data.toString());
      try (var lines = process.inputReader(UTF_8)) {
        var isTitled = false;
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
          if (isTitled) {
            return since(begun);
          }
          isTitled = line.startsWith(TITLE);
        }
        throw new IllegalStateException("start: the demo ended before its first change");
      } finally {
        stop(process);
        BenchKafka.delete(data);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double broker() {
    var begun = System.nanoTime();
    try (var kafka = BenchKafka.embedded()) {
      kafka.bootstrapServers();
      return since(begun);
    }
  }

  private static Process start(List<String> options, String... command) throws IOException {
    var all = new ArrayList<>(ChildJvm.java(options));
    all.addAll(List.of(command));
    return new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A program that does nothing. */
  static final class Nothing {
    private Nothing() {}

    public static void main(String[] arguments) {
      // the end
    }
  }
}
