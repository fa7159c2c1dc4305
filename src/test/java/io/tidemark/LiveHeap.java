package io.tidemark;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** The live objects of this process. */
public final class LiveHeap {

  /** A row of the histogram: number, instances, bytes, class. */
  private static final Pattern CLASS = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");

  private LiveHeap() {}

  /**
   * Collects garbage and returns the bytes of live objects, from the histogram of classes. The heap in use is larger by
   * what the collector leaves between objects, which differs by megabytes from run to run.
   */
  public static long bytes() {
    return classHistogram().lines().map(CLASS::matcher).filter(Matcher::matches)
        .filter(row -> !row.group(2).endsWith("FillerElement;") && !row.group(2).endsWith("FillerArray"))
        .mapToLong(row -> Long.parseLong(row.group(1))).sum();
  }

  private static String classHistogram() {
    try {
      return (String) ManagementFactory.getPlatformMBeanServer().invoke(
          new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
          new Object[] {new String[0]}, new String[] {String[].class.getName()});
    } catch (JMException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
