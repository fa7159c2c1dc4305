package io.tidemark.capture.ledger;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A sorted map of bytes on this machine's disk, in RocksDB. It is a copy of data in Kafka, filled at each start and
 * deleted at the end, so nothing is synced and there is no write-ahead log.
 *
 * <p>A disk failure, such as a full disk, becomes a {@link LedgerFailure} of the call that encounters it. The call that
 * encounters the disk failure may come later than the failed write, since RocksDB writes files in the background. The
 * session then ends without a commit, and its store is deleted. The next session begins with an empty store.
 */
final class LocalStore implements AutoCloseable {

  static {
    RocksDB.loadLibrary();
  }

  private static final String FOLDER_PREFIX = "known-";

  private static final long MEBIBYTE = 1 << 20;

  /**
   * Size of the block cache in bytes. The cache also holds the blocks of indexes and filters, which are partitioned so
   * that only a part of them is read. The cache and the write buffers are all the memory that a store takes: 80 MiB,
   * however many keys the store holds.
   */
  private static final long CACHE = 32 * MEBIBYTE;

  /** Size of each of the three write buffers in bytes: one is filled while the others are flushed. */
  private static final long WRITE_BUFFER = 16 * MEBIBYTE;

  /**
   * Number of uncompacted files at which RocksDB slows down and stops writes. The number is high, since nothing is
   * compacted while the store is filled, and polling must not wait for the compaction that follows.
   */
  private static final int FILES_DELAYING_WRITES = 10_000;

  private static final long BLOCK = 8 << 10;
  private static final int BITS_PER_KEY = 10;

  private final Path folder;
  private final LRUCache cache = new LRUCache(CACHE);
  private final BloomFilter filter = new BloomFilter(BITS_PER_KEY);
  private final Options options = options(tables(cache, filter));
  private final WriteOptions writing = new WriteOptions().setDisableWAL(true);
  private final RocksDB db;
  /**
   * Lock that lets several threads use the store at the same time: {@link #close} takes its write lock, and all other
   * calls take its read lock.
   */
  private final ReadWriteLock use = new ReentrantReadWriteLock();
  private boolean closed;

  /** Values that are written together. */
  final class StoreBatch implements AutoCloseable {
    private final WriteBatch batch = new WriteBatch();

    private StoreBatch() {}

    /** Puts a value; null deletes the key. */
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

  private interface RocksOperation<T> {
    T run() throws RocksDBException;
  }

  /** @param folder folder that was created for this store and is deleted when the store is closed */
  private LocalStore(Path folder) throws RocksDBException {
    this.folder = folder;
    try {
      this.db = RocksDB.open(options, folder.toString());
    } catch (RocksDBException e) {
      free();
      throw e;
    }
  }

  /**
   * Creates an empty store, and deletes the store folders that killed processes left in the same parent folder.
   *
   * @param folder parent folder, in which the store creates its folder; null for the system's temporary folder. A
   *     missing parent folder is created
   * @throws LedgerFailure if the store cannot be created
   */
  static LocalStore create(@Nullable Path folder) {
    return folder == null
        ? create(Path.of(System.getProperty("java.io.tmpdir")), "tidemark-" + FOLDER_PREFIX)
        : create(folder, FOLDER_PREFIX);
  }

  private static LocalStore create(Path parent, String prefix) {
    try {
      Files.createDirectories(parent);
      var folder = Files.createTempDirectory(parent, prefix);
      deleteAbandoned(parent, prefix, Files.getOwner(folder));
      return new LocalStore(folder);
    } catch (IOException | RocksDBException e) {
      throw failed(parent.toString(), e);
    }
  }

  byte @Nullable [] get(byte[] key) {
    return attempt(() -> db.get(key));
  }

  StoreBatch batch() {
    return new StoreBatch();
  }

  /**
   * Starts to compact files in the background. Call this method after the store is filled, since the same data would be
   * compacted many times over while it is being filled.
   */
  void loaded() {
    attempt(() -> {
      db.enableAutoCompaction(List.of(db.getDefaultColumnFamily()));
      return db;
    });
  }

  /**
   * Visits the keys that have the prefix, with their values, in order from the key {@code from} on, until the visitor
   * returns false. {@code from} must begin with the prefix.
   */
  void scan(byte[] from, byte[] prefix, BiPredicate<byte[], byte[]> visitor) {
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

  /** Returns the first key after all keys with the given prefix, or an empty array if there is no such key. */
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

  private void write(WriteBatch batch) {
    attempt(() -> {
      db.write(writing, batch);
      return batch;
    });
  }

  /**
   * Runs a call of the native library. Throws if the store is closed, because the call would then crash the process.
   */
  private <T extends @Nullable Object> T attempt(RocksOperation<T> work) {
    use.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("local store in " + folder + " is closed");
      }
      return work.run();
    } catch (RocksDBException e) {
      throw failed(folder.toString(), e);
    } finally {
      use.readLock().unlock();
    }
  }

  private static LedgerFailure failed(String folder, Exception cause) {
    return new LedgerFailure.Unexpected(
        "local store in %s: %s. The folder needs free space and write permission. To use another one, set local-store"
            .formatted(folder, cause),
        cause);
  }

  @Override
  public void close() {
    use.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        db.close();
        free();
      }
    } finally {
      use.writeLock().unlock();
    }
  }

  private void free() {
    writing.close();
    options.close();
    filter.close();
    cache.close();
    delete(folder);
  }

  /** Deletes the folders that killed processes left. RocksDB locks the folders of running processes. */
  private static void deleteAbandoned(Path parent, String prefix, UserPrincipal owner) throws IOException {
    try (var folders = Files.newDirectoryStream(parent, prefix + "*")) {
      for (var folder : folders) {
        if (isStore(folder, owner)) {
          delete(folder);
        }
      }
    }
  }

  /**
   * Returns whether a folder holds a store of this user. A link, which anybody may create in a temporary folder, is no
   * store. A folder without the file {@code CURRENT} may belong to a process that is about to lock it: RocksDB locks a
   * folder before it creates this file.
   */
  private static boolean isStore(Path folder, UserPrincipal owner) {
    try {
      return Files.isDirectory(folder, NOFOLLOW_LINKS) && Files.getOwner(folder, NOFOLLOW_LINKS).equals(owner)
          && Files.exists(folder.resolve("CURRENT"));
    } catch (IOException e) {
      return false; // another process has just deleted it
    }
  }

  private static void delete(Path folder) {
    try (var options = new Options()) {
      RocksDB.destroyDB(folder.toString(), options);
      Files.deleteIfExists(folder);
    } catch (IOException | RocksDBException e) {
      // The folder is in use or holds other files. The next store in the same parent folder tries again to delete it.
    }
  }

  /** Returns options that bound the memory of RocksDB and favour fast filling and reads by key. */
  private static Options options(BlockBasedTableConfig tables) {
    return new Options()
        .setCreateIfMissing(true)
        .setTableFormatConfig(tables)
        .setWriteBufferSize(WRITE_BUFFER)
        .setMaxWriteBufferNumber(3)
        .setDisableAutoCompactions(true)
        .setCompactionStyle(CompactionStyle.UNIVERSAL)
        .setLevel0SlowdownWritesTrigger(FILES_DELAYING_WRITES)
        .setLevel0StopWritesTrigger(FILES_DELAYING_WRITES)
        .setCompressionType(CompressionType.NO_COMPRESSION) // compaction compresses: filling must not wait
        .setBottommostCompressionType(CompressionType.LZ4_COMPRESSION)
        .setAvoidFlushDuringShutdown(true) // the folder is deleted at shutdown
        .setMaxBackgroundJobs(2)
        .setStatsDumpPeriodSec(0)
        .setKeepLogFileNum(1)
        .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL);
  }

  private static BlockBasedTableConfig tables(LRUCache cache, BloomFilter filter) {
    return new BlockBasedTableConfig()
        .setBlockCache(cache)
        .setBlockSize(BLOCK)
        .setIndexType(IndexType.kTwoLevelIndexSearch)
        .setPartitionFilters(true)
        .setCacheIndexAndFilterBlocks(true)
        .setPinTopLevelIndexAndFilter(true)
        .setFilterPolicy(filter);
  }
}
