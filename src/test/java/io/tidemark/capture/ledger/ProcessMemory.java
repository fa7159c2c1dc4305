package io.tidemark.capture.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process has of the machine's memory, in bytes, as Linux counts it: heap, native memory, everything.
 *
 * @param peak the most it ever had
 */
public record ProcessMemory(long now, long peak) {

  public static ProcessMemory ofThisProcess() {
    return new ProcessMemory(of("VmRSS:"), of("VmHWM:"));
  }

  private static long of(String row) {
    try (var rows = Files.lines(Path.of("/proc/self/status"))) {
      var text = rows.filter(line -> line.startsWith(row)).findFirst().orElseThrow();
      return Long.parseLong(text.replaceAll("[^0-9]", "")) << 10;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "%,d MiB, at most %,d MiB".formatted(now >> 20, peak >> 20);
  }
}
