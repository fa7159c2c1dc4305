package io.tidemark.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a process.
 *
 * @param heap bytes in use after garbage collection
 * @param most maximum bytes that the system ever gave the process at once; null if the system is not Linux
 */
record ProcessMemory(long heap, @Nullable Long most) {
  private static final double TIMES_ENCODED = 1.5;
  private static final double BYTES_BESIDES = 200;
  private static final int COLLECTIONS = 3;
  private static final Path STATUS = Path.of("/proc/self/status");

  /** Measures the current memory of this process. */
  static ProcessMemory measure() {
    var most = mostOfTheProcess();
    for (var each = 0; each < COLLECTIONS; each++) {
      System.gc();
    }
    return new ProcessMemory(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(), most);
  }

  private static @Nullable Long mostOfTheProcess() {
    if (!Files.exists(STATUS)) {
      return null;
    }
    try (var rows = Files.lines(STATUS)) {
      var row = rows.filter(each -> each.startsWith("VmHWM:")).findFirst().orElseThrow();
      return Long.parseLong(row.replaceAll("[^0-9]", "")) << 10;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Formats the memory as one word. */
  String format() {
    return most == null ? "" + heap : heap + "," + most;
  }

  /** Parses a word that {@link #format} wrote. */
  static ProcessMemory parse(String word) {
    var parts = word.split(",", -1);
    return new ProcessMemory(Long.parseLong(parts[0]), parts.length < 2 ? null : Long.valueOf(parts[1]));
  }

  /**
   * Returns the memory per resource. The limit is the size of the encoded states. The aim is one and a half times the
   * limit plus 200 bytes.
   *
   * @param encoded size of all encoded resources, in bytes
   */
  List<BenchResult> results(String name, long resources, long encoded) {
    var heapResult = result(name + ", heap", heap, resources, encoded);
    return most == null
        ? List.of(heapResult)
        : List.of(heapResult, result(name + ", whole process", most, resources, encoded));
  }

  private static BenchResult result(String name, long bytes, long resources, long encoded) {
    var ours = (double) bytes / resources;
    var limit = (double) encoded / resources;
    return BenchResult.lessIsBetter(name, "B", List.of(new BenchResult.Round(ours, limit)),
        TIMES_ENCODED * limit + BYTES_BESIDES);
  }
}
