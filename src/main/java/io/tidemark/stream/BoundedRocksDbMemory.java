package io.tidemark.stream;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * Gives all RocksDB stores of a process one cache and one bound of write buffers, by the number of cores and
 * the largest heap: a process that was given little memory has small stores too. By default each store of each partition
 * has 50 MB of cache and 48 MB of buffers of its own.
 */
public final class BoundedRocksDbMemory implements RocksDBConfigSetter {

  private static final long PER_CORE = 64L << 20;
  private static final int FEWEST_CORES = 2;
  private static final int MOST_CORES = 16;
  private static final int PART_OF_HEAP = 4;
  private static final long LEAST = 32L << 20;
  private static final long BUFFER = 4L << 20;

  /**
   * What the buffer of a store grows by. Hundreds of stores are open, and with the default of 512 KiB their first pieces
   * alone would fill the bound, so that each would be flushed when it has hardly begun.
   */
  private static final long BUFFER_PIECE = 64L << 10;

  /** What the manifest of a store takes on disk ahead of need. By default each takes 4 MiB. */
  private static final long MANIFEST_PIECE = 64L << 10;

  /** Bytes for all stores of the process, half of them for write buffers. */
  static long total(int cores, long heap) {
    return Math.clamp(heap / PART_OF_HEAP, LEAST, PER_CORE * Math.clamp(cores, FEWEST_CORES, MOST_CORES));
  }

  @Override
  public void setConfig(String store, Options options, Map<String, Object> settings) {
    var table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(Shared.CACHE);
    table.setCacheIndexAndFilterBlocks(true);
    options.setTableFormatConfig(table);
    options.setWriteBufferManager(Shared.WRITES);
    options.setWriteBufferSize(BUFFER);
    options.setArenaBlockSize(BUFFER_PIECE);
    options.setManifestPreallocationSize(MANIFEST_PIECE);
  }

  /** The cache outlives each store. */
  @Override
  public void close(String store, Options options) {}

  /** Created with the first store, when the native library is loaded. */
  private static final class Shared {
    static final long TOTAL = total(Runtime.getRuntime().availableProcessors(), Runtime.getRuntime().maxMemory());
    static final Cache CACHE = new LRUCache(TOTAL);
    static final WriteBufferManager WRITES = new WriteBufferManager(TOTAL / 2, CACHE);
  }
}
