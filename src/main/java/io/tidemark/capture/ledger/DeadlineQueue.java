package io.tidemark.capture.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the next deadline of each resource or target, in a local store. Each deadline is stored twice, by
 * resource and by time. If several deadlines are added for a resource, only the earliest is kept.
 */
final class DeadlineQueue {

  private static final Duration ALMOST_A_MILLISECOND = Duration.ofNanos(999_999);

  private final LocalStore local;
  private final byte byName;
  private final byte byTime;

  /**
   * Key in the store before which there is no deadline. Scans begin at this key, to skip deleted entries, which are
   * very many if a million resources are due at the same time.
   */
  private byte[] floor;

  /**
   * @param resource kind of the resource, such as {@code pool}, or, for the two deadlines of a target, {@code target}
   *     and {@code target-retention}
   */
  record ResourceName(String resource, String key) {
    private byte[] bytes() {
      return (resource + ' ' + key).getBytes(UTF_8);
    }

    private static ResourceName of(String text) {
      var space = text.indexOf(' ');
      return new ResourceName(text.substring(0, space), text.substring(space + 1));
    }
  }

  DeadlineQueue(LocalStore local, int byName, int byTime) {
    this.local = local;
    this.byName = (byte) byName;
    this.byTime = (byte) byTime;
    this.floor = byTime(0, new byte[0]);
  }

  /**
   * Adds a deadline, rounded up to whole milliseconds, in place of a later deadline of the resource. Does nothing if
   * the resource has an earlier deadline.
   */
  void put(ResourceName name, Instant at) {
    var due = Math.max(0, at.plus(ALMOST_A_MILLISECOND).toEpochMilli());
    var known = local.get(byName(name));
    if (known != null && ByteBuffer.wrap(known).getLong() <= due) {
      return;
    }
    var storeKey = byTime(due, name.bytes());
    floor = Arrays.compareUnsigned(storeKey, floor) < 0 ? storeKey : floor;
    try (var batch = local.batch()) {
      if (known != null) {
        batch.put(byTime(ByteBuffer.wrap(known).getLong(), name.bytes()), null);
      }
      batch.put(byName(name), ByteBuffer.allocate(Long.BYTES).putLong(due).array());
      batch.put(storeKey, new byte[0]);
      batch.write();
    }
  }

  /**
   * Returns the resource with the earliest deadline and removes this deadline, or returns null if no deadline has
   * passed.
   */
  @Nullable
  ResourceName poll(Instant now) {
    var first = new byte[1][];
    local.scan(floor, new byte[] {byTime}, (storeKey, nothing) -> {
      first[0] = storeKey;
      return false;
    });
    if (first[0] == null || time(first[0]) > now.toEpochMilli()) {
      var next = byTime(now.toEpochMilli() + 1, new byte[0]);
      floor = Arrays.compareUnsigned(next, floor) > 0 ? next : floor;
      return null;
    }
    floor = first[0];
    return remove(first[0]);
  }

  private ResourceName remove(byte[] storeKey) {
    var start = 1 + Long.BYTES;
    var name = ResourceName.of(new String(storeKey, start, storeKey.length - start, UTF_8));
    try (var batch = local.batch()) {
      batch.put(storeKey, null);
      batch.put(byName(name), null);
      batch.write();
    }
    return name;
  }

  private static long time(byte[] storeKey) {
    return ByteBuffer.wrap(storeKey).getLong(1);
  }

  private byte[] byTime(long due, byte[] name) {
    return ByteBuffer.allocate(1 + Long.BYTES + name.length).put(byTime).putLong(due).put(name).array();
  }

  private byte[] byName(ResourceName name) {
    var bytes = name.bytes();
    return ByteBuffer.allocate(1 + bytes.length).put(byName).put(bytes).array();
  }
}
