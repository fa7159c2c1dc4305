package io.tidemark.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * A sorted map of bytes on this machine's disk, in a RocksDB. It is a copy of what is in Kafka, filled at each start and
 * deleted at the end: nothing is synced and there is no write-ahead log.
 *
 * <p>A failure of the disk, such as that it is full, is a {@link LedgerFailure} of the call that meets it. It may meet it
 * some calls later, as RocksDB writes files in the background. The session then ends without a commit and its store is
 * deleted; the next session begins with an empty one.
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
  /** Held for writing by the end, and by all else for reading: a visitor may read while another thread does. */
  private final ReadWriteLock use = new ReentrantReadWriteLock();
  private boolean closed;

  /** Values that are written at once. */
  final class StoreBatch implements AutoCloseable {
    private final WriteBatch batch = new WriteBatch();

    private StoreBatch() {}

    /** Null deletes the key. */
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

  /** A call of the native library. */
  private interface RocksOperation<T> {
    T run() throws RocksDBException;
  }

  /** @param folder created for it, deleted at the end */
  private LocalStore(Path folder) throws RocksDBException {
    this.folder = folder;
    this.db = RocksDB.open(tuning.options(), folder.toString());
  }

  /**
   * Creates an empty store.
   *
   * @param folder where it creates its own, itself created when missing; folders of killed processes in it are deleted.
   *     Null for the system's temporary one
   * @throws LedgerFailure if it cannot be created
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

  byte @Nullable [] get(byte[] key) {
    return attempt(() -> db.get(key));
  }

  StoreBatch batch() {
    return new StoreBatch();
  }

  /** Starts to compact files in the background. While the store is filled, that would be done many times over. */
  void loaded() {
    attempt(() -> {
      db.enableAutoCompaction(List.of(db.getDefaultColumnFamily()));
      return db;
    });
  }

  /** Visits the keys from one on, while they have the prefix and the visitor returns true. */
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

  /** The number of keys with a prefix, counted one by one. */
  int count(byte[] prefix) {
    var count = new int[1];
    scan(prefix, prefix, (key, value) -> ++count[0] > 0);
    return count[0];
  }

  /** The first key after those with a prefix; empty where there is none. */
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

  /** Guards the native library, which crashes the process when it is used after its end. */
  private <T extends @Nullable Object> T attempt(RocksOperation<T> work) {
    use.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("local store " + folder + ": it is closed");
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
        "local store in %s: %s. It needs space and the right to write; the setting local-store names another folder"
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
        writing.close();
        tuning.close();
        delete(folder);
      }
    } finally {
      use.writeLock().unlock();
    }
  }

  /** Deletes what killed processes left. The folders of running ones are locked. */
  private static void deleteAbandoned(Path folder) throws IOException {
    try (var abandoned = Files.newDirectoryStream(folder, FOLDER_PREFIX + "*")) {
      abandoned.forEach(LocalStore::delete);
    }
  }

  /** Deletes a folder with the files of a store. */
  private static void delete(Path folder) {
    try (var options = new Options()) {
      RocksDB.destroyDB(folder.toString(), options);
      Files.deleteIfExists(folder);
    } catch (IOException | RocksDBException e) {
      // It is in use, or holds other files: the next store that is created there tries again.
    }
  }

  /** Options of RocksDB: bounded memory, fast filling, reads by key. */
  private static final class RocksOptions implements AutoCloseable {

    private static final long MEBIBYTE = 1 << 20;

    /**
     * Cache of blocks, those of indexes and filters among them, which are divided so that a part of them is read. With the
     * write buffers, this is what a store takes of memory, however many keys there are: 80 MiB.
     */
    private static final long CACHE = 32 * MEBIBYTE;

    /** There are three: one is filled while the others are flushed. */
    private static final long WRITE_BUFFER = 16 * MEBIBYTE;

    /**
     * The number of uncompacted files at which RocksDB delays and stops writes. Nothing is compacted while the store is filled,
     * and polling the service must not wait for it afterwards.
     */
    private static final int FILES_DELAYING_WRITES = 10_000;

    private static final long BLOCK = 8 << 10;
    private static final int BITS_PER_KEY = 10;

    private final LRUCache cache = new LRUCache(CACHE);
    private final BloomFilter filter = new BloomFilter(BITS_PER_KEY);
    private final Options options = options(tables(cache, filter));

    Options options() {
      return options;
    }

    @Override
    public void close() {
      options.close();
      filter.close();
      cache.close();
    }

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
          .setCompressionType(CompressionType.NO_COMPRESSION) // until they are compacted: filling must not wait
          .setBottommostCompressionType(CompressionType.LZ4_COMPRESSION)
          .setAvoidFlushDuringShutdown(true) // its folder is deleted then
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
}
