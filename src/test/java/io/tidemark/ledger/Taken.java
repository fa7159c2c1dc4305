package io.tidemark.ledger;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What something took.
 *
 * @param seconds by the clock
 * @param processor seconds of all processors, all threads of this process together
 */
record Taken(double seconds, double processor) {

  private static final double SECOND = 1e9;

  /** Of which the end is not there yet. */
  static Taken begin() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Taken(System.nanoTime() / SECOND, system.getProcessCpuTime() / SECOND);
  }

  Taken end() {
    var now = begin();
    return new Taken(now.seconds - seconds, now.processor - processor);
  }

  /** Each of the two by itself. */
  Taken orBetter(Taken other) {
    return new Taken(Math.min(seconds, other.seconds), Math.min(processor, other.processor));
  }

  @Override
  public String toString() {
    return "%.1f s (%.1f s of processors)".formatted(seconds, processor);
  }
}
