package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When what is to be looked at next: for each resource the earliest time that was put down. Kept in a local store, once
 * by resource and once in the order of time.
 */
final class DeadlineQueue {

  private static final Duration ALMOST_A_MILLISECOND = Duration.ofNanos(999_999);

  private final LocalStore local;
  private final byte byName;
  private final byte byTime;

  /** Nothing is due before it: what was, and is deleted, need not be passed over again. */
  private long floor;

  /** @param resource the kind of it: {@code pool} */
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
  }

  /** The earliest counts. Times are whole milliseconds: the next one. */
  void put(ResourceName name, Instant at) {
    var due = Math.max(0, at.plus(ALMOST_A_MILLISECOND).toEpochMilli());
    var known = local.get(byName(name));
    if (known != null && ByteBuffer.wrap(known).getLong() <= due) {
      return;
    }
    floor = Math.min(floor, due);
    try (var batch = local.batch()) {
      if (known != null) {
        batch.put(byTime(ByteBuffer.wrap(known).getLong(), name.bytes()), null);
      }
      batch.put(byName(name), ByteBuffer.allocate(Long.BYTES).putLong(due).array());
      batch.put(byTime(due, name.bytes()), new byte[0]);
      batch.write();
    }
  }

  /** Takes out the first that is due by now; null where none is. */
  @Nullable
  ResourceName poll(Instant now) {
    var first = new byte[1][];
    local.scan(byTime(floor, new byte[0]), new byte[] {byTime}, (place, nothing) -> {
      first[0] = place;
      return false;
    });
    if (first[0] == null || time(first[0]) > now.toEpochMilli()) {
      floor = Math.max(floor, now.toEpochMilli() + 1);
      return null;
    }
    floor = time(first[0]);
    return remove(first[0]);
  }

  private ResourceName remove(byte[] place) {
    var start = 1 + Long.BYTES;
    var name = ResourceName.of(new String(place, start, place.length - start, UTF_8));
    try (var batch = local.batch()) {
      batch.put(place, null);
      batch.put(byName(name), null);
      batch.write();
    }
    return name;
  }

  private static long time(byte[] place) {
    return ByteBuffer.wrap(place).getLong(1);
  }

  private byte[] byTime(long due, byte[] name) {
    return ByteBuffer.allocate(1 + Long.BYTES + name.length).put(byTime).putLong(due).put(name).array();
  }

  private byte[] byName(ResourceName name) {
    var bytes = name.bytes();
    return ByteBuffer.allocate(1 + bytes.length).put(byName).put(bytes).array();
  }
}
