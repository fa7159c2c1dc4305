package io.tidemark.ledger;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What something took.
 *
 * @param seconds by the clock
 * @param processor seconds of all processors, all threads of this process together
 */
record Measurement(double seconds, double processor) {

  private static final double SECOND = 1e9;

  /** Of which the end is not there yet. */
  static Measurement begin() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Measurement(System.nanoTime() / SECOND, system.getProcessCpuTime() / SECOND);
  }

  Measurement end() {
    var now = begin();
    return new Measurement(now.seconds - seconds, now.processor - processor);
  }

  /** Each of the two by itself. */
  Measurement orBetter(Measurement other) {
    return new Measurement(Math.min(seconds, other.seconds), Math.min(processor, other.processor));
  }

  @Override
  public String toString() {
    return "%.1f s (%.1f s of processors)".formatted(seconds, processor);
  }
}
