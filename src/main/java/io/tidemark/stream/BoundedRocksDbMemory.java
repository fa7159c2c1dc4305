package io.tidemark.stream;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * Gives all RocksDB stores of a process one cache and one bound of write buffers. By default each store of each partition
 * has 50 MB of cache and 48 MB of buffers of its own.
 */
public final class BoundedRocksDbMemory implements RocksDBConfigSetter {

  private static final long TOTAL = 128L << 20;
  private static final long BUFFERS = 64L << 20;
  private static final long BUFFER = 4L << 20;

  @Override
  public void setConfig(String store, Options options, Map<String, Object> settings) {
    var table = (BlockBasedTableConfig) options.tableFormatConfig();
    table.setBlockCache(Shared.CACHE);
    table.setCacheIndexAndFilterBlocks(true);
    options.setTableFormatConfig(table);
    options.setWriteBufferManager(Shared.WRITES);
    options.setWriteBufferSize(BUFFER);
  }

  /** The cache outlives each store. */
  @Override
  public void close(String store, Options options) {}

  /** Created with the first store, when the native library is loaded. */
  private static final class Shared {
    static final Cache CACHE = new LRUCache(TOTAL);
    static final WriteBufferManager WRITES = new WriteBufferManager(BUFFERS, CACHE);
  }
}
