package io.tidemark.ledger;

import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;

/** How a local store is built: bounded in memory, quick to fill, read key by key. */
final class RocksOptions implements AutoCloseable {

  private static final long MEBIBYTE = 1 << 20;

  /**
   * Blocks that were read. Indexes and filters are not among them: at some ten bytes a key they are always at hand, in
   * the cache a single one of a large file would push everything else out.
   */
  private static final long CACHE = 32 * MEBIBYTE;

  /** Of these, three: one is filled while others are on their way to the disk. */
  private static final long WRITE_BUFFER = 16 * MEBIBYTE;

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
        .setCompressionType(CompressionType.LZ4_COMPRESSION)
        .setMaxBackgroundJobs(2)
        .setStatsDumpPeriodSec(0)
        .setKeepLogFileNum(1)
        .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL);
  }

  private static BlockBasedTableConfig tables(LRUCache cache, BloomFilter filter) {
    return new BlockBasedTableConfig()
        .setBlockCache(cache)
        .setBlockSize(BLOCK)
        .setFilterPolicy(filter);
  }
}
