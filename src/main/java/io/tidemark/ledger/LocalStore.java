package io.tidemark.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Bytes by keys, on this machine's disk, in the order of the keys. Kafka is the truth: what is here is filled anew at
 * each start and gone at the end.
 */
final class LocalStore implements AutoCloseable {

  static {
    RocksDB.loadLibrary();
  }

  private static final String FOLDER_PREFIX = "known-";

  private final Path folder;
  private final RocksOptions tuning = new RocksOptions();
  private final WriteOptions writing = new WriteOptions().setDisableWAL(true);
  private final RocksDB db;
  private boolean closed;

  /** Things to be written at once. */
  final class StoreBatch implements AutoCloseable {
    private final WriteBatch batch = new WriteBatch();

    private StoreBatch() {}

    /** Null forgets the key. */
    void put(byte[] key, byte @Nullable [] value) {
      attempt(() -> {
        if (value == null) {
          batch.delete(key);
        } else {
          batch.put(key, value);
        }
        return batch;
      });
    }

    void write() {
      LocalStore.this.write(batch);
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  /** What the native library does. */
  private interface RocksOperation<T> {
    T run() throws RocksDBException;
  }

  /** @param folder made for it, deleted at the end */
  private LocalStore(Path folder) throws RocksDBException {
    this.folder = folder;
    this.db = RocksDB.open(tuning.options(), folder.toString());
  }

  /**
   * An empty store.
   *
   * @param folder where it makes its own, made when missing; what processes that were killed left there is deleted.
   *     Null for the system's temporary one
   * @throws LedgerFailure if it cannot be made
   */
  static LocalStore create(@Nullable Path folder) {
    try {
      if (folder == null) {
        return new LocalStore(Files.createTempDirectory("tidemark-" + FOLDER_PREFIX));
      }
      Files.createDirectories(folder);
      deleteAbandoned(folder);
      return new LocalStore(Files.createTempDirectory(folder, FOLDER_PREFIX));
    } catch (IOException | RocksDBException e) {
      throw failed(String.valueOf(folder), e);
    }
  }

  synchronized byte @Nullable [] get(byte[] key) {
    return attempt(() -> db.get(key));
  }

  void put(byte[] key, byte @Nullable [] value) {
    try (var batch = batch()) {
      batch.put(key, value);
      batch.write();
    }
  }

  StoreBatch batch() {
    return new StoreBatch();
  }

  /** From now on files are merged in the background; until then, while it is filled, that would be done many times. */
  synchronized void loaded() {
    attempt(() -> {
      db.enableAutoCompaction(List.of(db.getDefaultColumnFamily()));
      return db;
    });
  }

  /** Visits keys from one on as long as they begin with a prefix and the visitor wants more. */
  synchronized void scan(byte[] from, byte[] prefix, BiPredicate<byte[], byte[]> visitor) {
    attempt(() -> {
      var end = after(prefix);
      try (var until = end.length == 0 ? null : new Slice(end);
          var options = new ReadOptions().setFillCache(false);
          var each = db.newIterator(until == null ? options : options.setIterateUpperBound(until))) {
        each.seek(from);
        while (each.isValid() && visitor.test(each.key(), each.value())) {
          each.next();
        }
        each.status();
      }
      return prefix;
    });
  }

  /** Where keys with a prefix end; empty where nothing can come after them. */
  private static byte[] after(byte[] prefix) {
    var length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    var end = Arrays.copyOf(prefix, length);
    if (length > 0) {
      end[length - 1]++;
    }
    return end;
  }

  private synchronized void write(WriteBatch batch) {
    attempt(() -> {
      db.write(writing, batch);
      return batch;
    });
  }

  /** The native library does not survive being used after its end. */
  private synchronized <T extends @Nullable Object> T attempt(RocksOperation<T> work) {
    if (closed) {
      throw new IllegalStateException("local store " + folder + ": it is closed");
    }
    try {
      return work.run();
    } catch (RocksDBException e) {
      throw failed(folder.toString(), e);
    }
  }

  private static LedgerFailure failed(String folder, Exception cause) {
    return new LedgerFailure.Unexpected(
        "local store in %s: %s. Give it room and the right to write, or name another folder: local-store"
            .formatted(folder, cause),
        cause);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      db.close();
      writing.close();
      tuning.close();
      delete(folder);
    }
  }

  /** Those that live are locked. */
  private static void deleteAbandoned(Path folder) throws IOException {
    try (var left = Files.newDirectoryStream(folder, FOLDER_PREFIX + "*")) {
      left.forEach(LocalStore::delete);
    }
  }

  /** Only what a store itself has made. */
  private static void delete(Path folder) {
    try (var options = new Options()) {
      RocksDB.destroyDB(folder.toString(), options);
      Files.deleteIfExists(folder);
    } catch (IOException | RocksDBException e) {
      // It is in use, or something else is in it: the next store that is made there tries again.
    }
  }
}
