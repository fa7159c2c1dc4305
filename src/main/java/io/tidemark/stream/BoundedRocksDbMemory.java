package io.tidemark.stream;

import java.util.Map;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.WriteBufferManager;

/**
 * One bound for the memory of all stores on disk of a process. Kafka gives each its own otherwise: 50 MB of cache and
 * 48 MB of buffers, times stores, times partitions.
 */
public final class BoundedRocksDbMemory implements RocksDBConfigSetter {

  private static final long ALL = 128L << 20;
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

  /** What is shared is not closed with one store. */
  @Override
  public void close(String store, Options options) {}

  /** Made with the first store: the library is loaded by then. */
  private static final class Shared {
    static final Cache CACHE = new LRUCache(ALL);
    static final WriteBufferManager WRITES = new WriteBufferManager(BUFFERS, CACHE);
  }
}
