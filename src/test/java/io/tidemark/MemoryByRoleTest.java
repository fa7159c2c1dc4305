package io.tidemark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.PolledPools;
import io.tidemark.serve.mirror.MirroredPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The heap that watched pools need, by role, is what {@code docs/running/containers.md} says. It is measured in processes
 * of their own, after garbage collection. The system property {@code tidemark.memory.pools} measures another number of
 * pools, such as 100,000.
 */
class MemoryByRoleTest {

  static final int MEASURED_POOLS = Integer.getInteger("tidemark.memory.pools", 40_000);
  static final List<Integer> POOLS = List.of(10_000, 100_000);
  static final Path PAGE = Path.of(System.getProperty("basedir", "."), "docs/running/containers.md");
  static final Pattern FIGURES =
      Pattern.compile("(?m)^\\| bytes of heap for each pool \\| (\\d+) \\| (\\d+) \\| (\\d+) \\|$");
  static final double TOLERANCE_PERCENT = 10;
  /** The part of a container's memory that is heap, and the part of that which watched pools may need. */
  static final double HEAP = 0.4;
  static final double OF_HEAP = 0.5;

  @TempDir
  Path folder;

  /** Bytes of heap for each pool: of the settings, of polling and of the mirror. */
  record Figures(int settings, int polling, int mirror) {

    /** A row of the table by role. */
    String row(int pools) {
      return Stream.of(settings + polling, settings, settings + mirror, settings + polling + mirror)
          .map(bytes -> cell((double) bytes * pools / (1 << 20)))
          .collect(Collectors.joining(" | ", String.format(Locale.ROOT, "| %,d | ", pools), " |"));
    }

    private static String cell(double mib) {
      var gib = 1;
      while (gib * 1024 * HEAP * OF_HEAP < mib) {
        gib *= 2;
      }
      return "%.0f MiB, %d GiB".formatted(mib, gib);
    }
  }

  @Test
  void heapForEachPool_isWhatTheTableSays() throws IOException {
    var page = Files.readString(PAGE);
    var match = FIGURES.matcher(page);
    assertThat(match.find()).as("the figures").isTrue();
    var documented = new Figures(
        Integer.parseInt(match.group(1)), Integer.parseInt(match.group(2)), Integer.parseInt(match.group(3)));

    var polling = start("poll");
    var mirror = start("web");
    var ofPolling = answer(polling);
    var measured = new Figures(ofPolling.get(0), ofPolling.get(1), answer(mirror).get(0));
    System.out.println(measured);
    POOLS.forEach(pools -> System.out.println(measured.row(pools)));

    assertThat(measured.settings()).isCloseTo(documented.settings(), withinPercentage(TOLERANCE_PERCENT));
    assertThat(measured.polling()).isCloseTo(documented.polling(), withinPercentage(TOLERANCE_PERCENT));
    assertThat(measured.mirror()).isCloseTo(documented.mirror(), withinPercentage(TOLERANCE_PERCENT));
    assertThat(POOLS).allSatisfy(pools -> assertThat(page).contains(documented.row(pools)));
  }

  private Process start(String role) throws IOException {
    return new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-Xmx768m",
        "-XX:SoftRefLRUPolicyMSPerMB=0",
        "-Dtidemark.memory.pools=" + MEASURED_POOLS, "-XX:+ExitOnOutOfMemoryError",
        "--enable-native-access=ALL-UNNAMED", "-cp",
        System.getProperty("java.class.path"), Measured.class.getName(), role, folder.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** The figures that a process measured. */
  private static List<Integer> answer(Process process) throws IOException {
    var answers = process.inputReader(UTF_8);
    for (var line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(Measured.ANSWER)) {
        return Arrays.stream(line.substring(Measured.ANSWER.length()).split(" ")).map(Integer::valueOf).toList();
      }
    }
    throw new IllegalStateException("the process ended");
  }

  /** The process. */
  static final class Measured {

    static final String ANSWER = "bytes for each pool: ";
    /** What is loaded with the first pools does not count. */
    private static final int FIRST_POOLS = 1_000;
    /** What is measured: nothing of it becomes garbage meanwhile. */
    private static final List<Object> KEPT = new ArrayList<>();

    private Measured() {}

    /** For a role and a folder of its own. */
    public static void main(String[] arguments) throws IOException {
      var folder = Path.of(arguments[1]);
      measure(arguments[0], folder, FIRST_POOLS);
      System.out.println(ANSWER + measure(arguments[0], folder, MEASURED_POOLS));
      System.exit(0);
    }

    private static String measure(String role, Path folder, int pools) throws IOException {
      return role.equals("poll") ? polling(folder, pools) : mirror(pools);
    }

    private static String polling(Path folder, int pools) throws IOException {
      var file = folder.resolve(pools + ".txt");
      Files.write(file, IntStream.range(0, pools).mapToObj("0x%040x"::formatted).toList());
      var before = LiveHeap.bytes();
      var settings = Settings.parse(folder.resolve("tidemark.yaml").toString(), """
          sources:
            - base-url: https://example.org/api/v3
              keys: [ { per-minute: 1000, per-month: 45000000 } ]
              watch: { networks: { eth: { pools: { file: %s } } } }
          """.formatted(file.getFileName()), name -> null);
      KEPT.add(settings);
      var read = LiveHeap.bytes();
      var polled = new PolledPools(settings.sources().getFirst().watch());
      KEPT.add(polled);
      var all = LiveHeap.bytes();
      assertThat(polled.observed()).isEqualTo(pools);
      return (read - before) / pools + " " + (all - read) / pools;
    }

    private static String mirror(int pools) {
      var before = LiveHeap.bytes();
      var mirror = new MirroredPools(pools);
      KEPT.add(mirror);
      var all = LiveHeap.bytes();
      assertThat(mirror.resources()).isGreaterThanOrEqualTo(pools);
      return String.valueOf((all - before) / pools);
    }
  }
}
