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

  /** Directory in which Linux shows the threads of this process. */
  private static final Path THREADS = Path.of("/proc/self/task");

  /**
   * Index of the time in user mode among the fields after the bracketed name in {@code stat} of a thread. The time in
   * system mode is the next field.
   */
  private static final int USER_TIME = 11;

  /**
   * Nanoseconds in a hundredth of a second, the unit in which Linux counts processor time. Shorter times are not
   * measured.
   */
  static final long NANOS_OF_A_TICK = 10_000_000;

  /**
   * Processor time of each compiler thread so far, by its directory. Some of these threads end before the process does.
   */
  private static final Map<Path, Long> COMPILERS = new ConcurrentHashMap<>();

  private ProcessorTime() {}

  /**
   * Returns the processor time without the time of the JVM's compilers, if the system shows it. The compilers work
   * for minutes after a start, and their work is no cost of a change. This method is slow, and only as exact as
   * {@link #NANOS_OF_A_TICK}.
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
      return false; // the thread ended
    }
  }

  private static long nanos(Path thread) {
    try {
      var line = Files.readString(thread.resolve("stat"));
      var fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1])) * NANOS_OF_A_TICK;
    } catch (IOException e) {
      return COMPILERS.getOrDefault(thread, 0L); // the thread ended
    }
  }
}
