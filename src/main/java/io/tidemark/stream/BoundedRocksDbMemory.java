package io.tidemark.stream;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * A configuration that gives all RocksDB stores of a process one cache and one limit of write buffers. The sizes of
 * the cache and of the buffers depend on the number of cores and the maximum heap, so that a process with little
 * memory has small stores. With the default configuration of Kafka Streams, each store of each partition has its own
 * 50 MB of cache and 48 MB of buffers.
 */
public final class BoundedRocksDbMemory implements RocksDBConfigSetter {

  private static final long PER_CORE = 64L << 20;
  private static final int FEWEST_CORES = 2;
  private static final int MOST_CORES = 16;
  private static final int PART_OF_HEAP = 4;
  private static final long LEAST = 32L << 20;
  private static final long BUFFER = 4L << 20;

  /**
   * Bytes by which the write buffer of a store grows. Hundreds of stores are open. With the default of 512 KiB, the
   * first pieces of all buffers would fill the limit of write buffers, so that each buffer would be flushed while
   * nearly empty.
   */
  private static final long BUFFER_PIECE = 64L << 10;

  /** Bytes that the manifest of a store preallocates on disk. The default is 4 MiB for each store. */
  private static final long MANIFEST_PIECE = 64L << 10;

  /** Returns the number of bytes that all stores of the process share. Half of these bytes are for write buffers. */
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

  /** Does nothing, because all stores of the process share the cache. */
  @Override
  public void close(String store, Options options) {}

  /** The memory that all stores share. It is created with the first store, when the native library is loaded. */
  private static final class Shared {
    static final long TOTAL = total(Runtime.getRuntime().availableProcessors(), Runtime.getRuntime().maxMemory());
    static final Cache CACHE = new LRUCache(TOTAL);
    static final WriteBufferManager WRITES = new WriteBufferManager(TOTAL / 2, CACHE);
  }
}
