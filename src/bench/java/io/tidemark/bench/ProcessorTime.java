package io.tidemark.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The processor time of this process since it started, in nanoseconds. */
final class ProcessorTime {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Where Linux shows the threads of this process. */
  private static final Path THREADS = Path.of("/proc/self/task");

  /** In the line of a thread, behind its name in brackets: its time in user mode; that in system mode follows. */
  private static final int USER_TIME = 11;

  /** Linux counts hundredths of a second there: what takes less is not measured. */
  static final long NANOS_OF_A_TICK = 10_000_000;

  /** What each compiler thread has taken so far, by its number: some end before the process does. */
  private static final Map<Path, Long> COMPILERS = new ConcurrentHashMap<>();

  private ProcessorTime() {}

  /**
   * Without that of the JVM's compilers, where the system shows it: they work for minutes after a start, and what they do
   * is no cost of a change. Slow to read, and only as exact as {@link #NANOS_OF_A_TICK}.
   */
  static long withoutCompilers() {
    if (Files.isDirectory(THREADS)) {
      try (var threads = Files.list(THREADS)) {
        threads.filter(ProcessorTime::isCompiler).forEach(thread -> COMPILERS.put(thread, nanos(thread)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return SYSTEM.getProcessCpuTime() - COMPILERS.values().stream().mapToLong(Long::longValue).sum();
  }

  private static boolean isCompiler(Path thread) {
    try {
      var name = Files.readString(thread.resolve("comm"));
      return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler");
    } catch (IOException e) {
      return false; // it ended
    }
  }

  private static long nanos(Path thread) {
    try {
      var line = Files.readString(thread.resolve("stat"));
      var fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1])) * NANOS_OF_A_TICK;
    } catch (IOException e) {
      return COMPILERS.getOrDefault(thread, 0L); // it ended
    }
  }
}
