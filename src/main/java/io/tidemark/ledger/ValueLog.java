package io.tidemark.ledger;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * A map from byte keys to byte values on this machine's disk, which works like Bitcask: each value is appended to a segment
 * file, and an index on the heap, 11 to 21 bytes a key, says where the newest value of each key is. Reading a value is one
 * read of a file, however many keys there are. When less than half of a segment's bytes are current, its current records
 * are appended again, and the segment is deleted.
 *
 * <p>It is a copy of what is in Kafka: files are not synced, and they are deleted at the end.
 */
final class ValueLog implements AutoCloseable {

  static final String FILE_SUFFIX = ".values";

  /** Size of a segment. A larger record has a segment of its own. */
  static final int SEGMENT_BYTES = 16 << 20;

  /** A record begins with the lengths of key and value. */
  private static final int HEADER_BYTES = 2 * Integer.BYTES;

  /** Records begin at multiples of so many bytes: 32 bits are a place in 64 GiB, twelve of them that of a segment. */
  private static final int UNIT = 16;

  private static final int UNIT_BITS = 20;
  private static final int MOST_SEGMENTS = 1 << (Integer.SIZE - UNIT_BITS);

  /** What is read at once: most records whole. */
  private static final int READ_BYTES = 2 << 10;

  /** What is written at once. */
  private static final int TAIL_BYTES = 64 << 10;

  private final Path folder;
  private final String name;
  private final int segmentBytes;
  private final PlaceIndex index = new PlaceIndex();
  /** By slot. Null where there is none: always at first, so that no place is 0. */
  private final List<@Nullable Segment> segments = new ArrayList<>();
  /** Segments to be copied and deleted. */
  private final Deque<Segment> wasteful = new ArrayDeque<>();
  private @Nullable Segment last;
  private long nextNumber;
  /** The end of the last segment, as far as it is not written. */
  private final byte[] tail = new byte[TAIL_BYTES];
  private int tailBytes;
  /** The record that was read last. */
  private byte[] record = new byte[READ_BYTES];
  private boolean closed;

  /**
   * Where visiting goes on.
   *
   * @param segment number of a segment; the next one is meant where it is deleted
   */
  record Position(long segment, int offset) {
    static final Position START = new Position(0, 0);
  }

  /** A call that reads or writes files. */
  private interface FileOperation<T extends @Nullable Object> {
    T run() throws IOException;
  }

  ValueLog(Path folder, String name) {
    this(folder, name, SEGMENT_BYTES);
  }

  /** @param segmentBytes {@link #SEGMENT_BYTES} at most */
  ValueLog(Path folder, String name, int segmentBytes) {
    this.folder = folder;
    this.name = name;
    this.segmentBytes = segmentBytes;
    segments.add(null);
  }

  synchronized byte @Nullable [] get(byte[] key) {
    return attempt(() -> find(key, Utils.murmur2(key)) < 0
        ? null
        : Arrays.copyOfRange(record, HEADER_BYTES + key.length, HEADER_BYTES + key.length + valueBytes(record)));
  }

  /** Null deletes the key. */
  synchronized void put(byte[] key, byte @Nullable [] value) {
    attempt(() -> {
      var hash = Utils.murmur2(key);
      var entry = find(key, hash);
      var replaced = entry < 0 ? 0 : index.place(entry);
      var replacedBytes = entry < 0 ? 0 : padded(HEADER_BYTES + key.length + valueBytes(record));
      if (value != null) {
        index.put(entry, hash, append(key, value));
      } else if (entry >= 0) {
        index.remove(entry);
      }
      if (entry >= 0) {
        var segment = segment(replaced);
        segment.currentBytes -= replacedBytes;
        markIfWasteful(segment);
      }
      for (var each = wasteful.poll(); each != null; each = wasteful.poll()) {
        compact(each);
      }
      return replaced;
    });
  }

  /** The number of keys. */
  synchronized int size() {
    return index.size();
  }

  /** The bytes of all segments. */
  synchronized long bytes() {
    return segments.stream().filter(Objects::nonNull).mapToLong(segment -> segment.bytes).sum();
  }

  /**
   * Visits each key with its value, in no order. The visitor must not put. A key that is put between two calls may be visited
   * twice.
   *
   * @param most how many keys
   * @return where to go on; null where no more follow
   */
  synchronized @Nullable Position visit(Position from, int most, BiConsumer<byte[], byte[]> visitor) {
    return attempt(() -> visitWritten(from, most, visitor));
  }

  private @Nullable Position visitWritten(Position from, int most, BiConsumer<byte[], byte[]> visitor)
      throws IOException {
    flush();
    var left = most;
    for (var segment = next(from.segment()); segment != null; segment = next(segment.number + 1)) {
      try (var records = new SegmentReader(segment, segment.number == from.segment() ? from.offset() : 0)) {
        while (records.next()) {
          if (left == 0) {
            return new Position(segment.number, records.offset);
          }
          if (index.find(Utils.murmur2(records.key), segment.place(records.offset)) >= 0) {
            visitor.accept(records.key, records.value);
            left--;
          }
        }
      }
    }
    return null;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      try {
        for (var segment : segments) {
          if (segment != null) {
            segment.delete();
          }
        }
      } catch (IOException e) {
        // The next process deletes what is left.
      }
    }
  }

  /** The entry of a key in the index, whose record was read then; -1 where there is none. */
  private int find(byte[] key, int hash) throws IOException {
    for (var entry = index.first(hash); index.isUsed(entry); entry = index.after(entry)) {
      if (index.hash(entry) == hash && readIfOf(key, index.place(entry))) {
        return entry;
      }
    }
    return -1;
  }

  /** Reads the record at a place, and returns whether it is of this key. */
  private boolean readIfOf(byte[] key, int place) throws IOException {
    var segment = segment(place);
    var offset = Segment.offset(place);
    var read = read(segment, offset, 0, READ_BYTES);
    var length = HEADER_BYTES + keyBytes(record) + valueBytes(record);
    if (length > read) {
      record = length > record.length ? Arrays.copyOf(record, length) : record;
      read(segment, offset + read, read, length - read);
    }
    return keyBytes(record) == key.length
        && Arrays.equals(record, HEADER_BYTES, HEADER_BYTES + key.length, key, 0, key.length);
  }

  /**
   * Reads to an index of {@link #record}, where a record is either written whole or not at all.
   *
   * @return how many bytes, fewer than asked for at the end of what there is
   */
  private int read(Segment segment, int offset, int to, int most) throws IOException {
    var written = segment == last ? segment.bytes - tailBytes : segment.bytes;
    var count = Math.min(most, (offset < written ? written : segment.bytes) - offset);
    if (offset < written) {
      segment.file.seek(offset);
      segment.file.readFully(record, to, count);
    } else {
      System.arraycopy(tail, offset - written, record, to, count);
    }
    return count;
  }

  /** Appends a record. Returns its place. */
  private int append(byte[] key, byte[] value) throws IOException {
    var bytes = padded(HEADER_BYTES + key.length + value.length);
    var segment = last;
    if (segment == null || (segment.bytes > 0 && segment.bytes + bytes > segmentBytes)) {
      segment = startSegment();
    }
    var place = segment.place(segment.bytes);
    if (tailBytes + bytes > TAIL_BYTES) {
      flush();
    }
    if (bytes > TAIL_BYTES) {
      var large = new byte[bytes];
      write(large, 0, key, value);
      segment.file.seek(segment.bytes);
      segment.file.write(large);
    } else {
      write(tail, tailBytes, key, value);
      tailBytes += bytes;
    }
    segment.bytes += bytes;
    segment.currentBytes += bytes;
    return place;
  }

  private static void write(byte[] to, int at, byte[] key, byte[] value) {
    ByteBuffer.wrap(to).position(at).putInt(key.length).putInt(value.length).put(key).put(value);
  }

  private void flush() throws IOException {
    if (tailBytes > 0 && last != null) {
      last.file.seek(last.bytes - tailBytes);
      last.file.write(tail, 0, tailBytes);
      tailBytes = 0;
    }
  }

  private Segment startSegment() throws IOException {
    flush();
    var full = last;
    var slot = 1;
    while (slot < segments.size() && segments.get(slot) != null) {
      slot++;
    }
    if (slot == MOST_SEGMENTS) {
      throw new IOException("%s has %d segments, which is the most".formatted(name, MOST_SEGMENTS - 1));
    }
    if (slot == segments.size()) {
      segments.add(null);
    }
    var started = new Segment(nextNumber, slot, folder.resolve(name + "-" + nextNumber + FILE_SUFFIX));
    nextNumber++;
    segments.set(slot, started);
    last = started;
    if (full != null) {
      markIfWasteful(full);
    }
    return started;
  }

  /** Marks a full segment of which less than half is current: {@link #put} compacts it. */
  private void markIfWasteful(Segment segment) {
    if (segment != last && !segment.isWasteful && segment.currentBytes < segment.bytes / 2) {
      segment.isWasteful = true;
      wasteful.add(segment);
    }
  }

  /** Appends what is current in a segment again, and deletes it. */
  private void compact(Segment segment) throws IOException {
    try (var records = new SegmentReader(segment, 0)) {
      while (records.next()) {
        var hash = Utils.murmur2(records.key);
        var entry = index.find(hash, segment.place(records.offset));
        if (entry >= 0) {
          index.put(entry, hash, append(records.key, records.value));
        }
      }
    }
    segments.set(segment.slot, null);
    segment.delete();
  }

  private Segment segment(int place) {
    return Objects.requireNonNull(segments.get(place >>> UNIT_BITS));
  }

  /** The first segment from a number on. */
  private @Nullable Segment next(long number) {
    return segments.stream()
        .filter(segment -> segment != null && segment.number >= number)
        .min(Comparator.comparingLong(segment -> Objects.requireNonNull(segment).number))
        .orElse(null);
  }

  private static int keyBytes(byte[] record) {
    return ByteBuffer.wrap(record).getInt(0);
  }

  private static int valueBytes(byte[] record) {
    return ByteBuffer.wrap(record).getInt(Integer.BYTES);
  }

  private static int padded(int bytes) {
    return (bytes + UNIT - 1) / UNIT * UNIT;
  }

  private <T extends @Nullable Object> T attempt(FileOperation<T> work) {
    if (closed) {
      throw new IllegalStateException("local store %s: %s is closed".formatted(folder, name));
    }
    try {
      return work.run();
    } catch (IOException e) {
      throw LocalStore.failed(folder.toString(), e);
    }
  }

  /** A file of records. */
  private static final class Segment {
    private final long number;
    private final int slot;
    private final Path path;
    private final RandomAccessFile file;
    private int bytes;
    /** Those of the records that are current. */
    private int currentBytes;
    private boolean isWasteful;

    Segment(long number, int slot, Path path) throws IOException {
      this.number = number;
      this.slot = slot;
      this.path = path;
      this.file = new RandomAccessFile(path.toFile(), "rw");
    }

    int place(int offset) {
      return (slot << UNIT_BITS) | (offset / UNIT);
    }

    void delete() throws IOException {
      file.close();
      Files.deleteIfExists(path);
    }

    static int offset(int place) {
      return (place & (1 << UNIT_BITS) - 1) * UNIT;
    }
  }

  /** Reads the records of a segment in turn, as far as they are written when it is made. */
  private static final class SegmentReader implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final DataInputStream in;
    private final int end;
    private int nextOffset;
    private int offset;
    private byte[] key = {};
    private byte[] value = {};

    SegmentReader(Segment segment, int offset) throws IOException {
      this.end = segment.bytes;
      this.nextOffset = offset;
      var file = new FileInputStream(segment.path.toFile());
      this.in = new DataInputStream(new BufferedInputStream(file, BUFFER_BYTES));
      in.skipNBytes(offset);
    }

    /** Reads the next record; false where there is none. */
    boolean next() throws IOException {
      if (nextOffset == end) {
        return false;
      }
      offset = nextOffset;
      key = new byte[in.readInt()];
      value = new byte[in.readInt()];
      in.readFully(key);
      in.readFully(value);
      var bytes = HEADER_BYTES + key.length + value.length;
      in.skipNBytes(padded(bytes) - bytes);
      nextOffset += padded(bytes);
      return true;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
