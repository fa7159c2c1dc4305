package io.tidemark.stream.aggregate;

import com.google.common.collect.Streams;
import io.tidemark.event.GroupUpdate;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.tick.DueQueue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The updates of members in one partition that wait for the end of their minute, sorted by minute, group and member. If
 * several updates have the same minute, group and member, only the last one counts.
 *
 * <p>The updates are kept in memory. They are also kept in a store, because the task may move to another instance. The
 * store contains the updates in blocks, in their order of arrival, so that one record of the changelog holds many
 * updates. After all updates of a minute are sent, the blocks of that minute are removed. If the task moves before all
 * these blocks are removed, the updates in the remaining blocks are sent again. The result stays the same, because the
 * tick of that minute is sent only after the blocks are removed.
 */
final class WaitingUpdates {

  /**
   * Size above which a block gets no more updates, in bytes. A single update may be larger. The size is limited
   * because each commit writes the unfinished block again.
   */
  private static final int BLOCK_BYTES = 4_096;

  /** Prefix of the keys of blocks. These keys sort after the store's other keys, which begin with a time in digits. */
  private static final String PREFIX = "block/";

  /** A character that sorts after all digits. */
  private static final char LAST = ':';

  private static final int NUMBER_DIGITS = 19;

  private final KeyValueStore<String, byte[]> store;
  private final AvroSerde<GroupUpdate> serde;
  private final NavigableMap<String, GroupUpdate> waiting = new TreeMap<>();
  private final NavigableSet<String> blocks = new TreeSet<>();
  private Instant minuteInProgress = Instant.MIN;
  private final ByteArrayOutputStream blockInProgress = new ByteArrayOutputStream(BLOCK_BYTES);
  private String keyInProgress = "";
  private long blocksSoFar;
  private boolean isChanged;
  private boolean isRestored;

  WaitingUpdates(KeyValueStore<String, byte[]> store, SchemaRegistry registry) {
    this.store = store;
    this.serde = new AvroSerde<>(GroupUpdate.class, registry);
  }

  /**
   * Reads the updates that the task stored before it moved to this instance. Does nothing after the first call. The
   * store may hold other keys too.
   */
  private void restore() {
    if (isRestored) {
      return;
    }
    isRestored = true;
    try (var entries = store.range(PREFIX, PREFIX + LAST)) {
      Streams.stream(entries).forEach(entry -> {
        blocks.add(entry.key);
        read(ByteBuffer.wrap(entry.value));
        blocksSoFar = Math.max(blocksSoFar, 1 + Long.parseLong(entry.key.substring(entry.key.lastIndexOf('/') + 1)));
      });
    }
  }

  private void read(ByteBuffer block) {
    while (block.hasRemaining()) {
      var bytes = new byte[block.getInt()];
      block.get(bytes);
      var update = serde.decode(Members.WAITING, bytes);
      waiting.put(key(update), update);
    }
  }

  /**
   * Adds an update. It replaces any update with the same minute, group and member. The update is in the store only
   * after {@link #save} is called.
   */
  void put(GroupUpdate update) {
    restore();
    var bytes = serde.encode(Members.WAITING, update);
    if (!update.getAt().equals(minuteInProgress) || blockInProgress.size() + bytes.length > BLOCK_BYTES) {
      save();
      minuteInProgress = update.getAt();
      blockInProgress.reset();
      keyInProgress = sortable(minuteInProgress) + DueQueue.sortable(blocksSoFar++, NUMBER_DIGITS);
    }
    blockInProgress.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    blockInProgress.writeBytes(bytes);
    isChanged = true;
    waiting.put(key(update), update);
  }

  /**
   * Stores the unfinished block if it has changed. Called after all updates of a record are added, and before another
   * block begins.
   */
  void save() {
    if (isChanged) {
      store.put(keyInProgress, blockInProgress.toByteArray());
      blocks.add(keyInProgress);
      isChanged = false;
    }
  }

  /**
   * Removes from memory and returns up to {@code most} updates that are due by the given minute, earliest first.
   * Returns fewer only if no other update is due. The updates stay in the store until {@link #removeSentBlocks} is
   * called.
   */
  List<GroupUpdate> removeDue(Instant minute, int most) {
    restore();
    var due = new ArrayList<GroupUpdate>();
    var end = PREFIX + DueQueue.sortable(minute) + "0"; // '0' follows '/'
    while (due.size() < most && !waiting.isEmpty() && waiting.firstKey().compareTo(end) < 0) {
      due.add(waiting.pollFirstEntry().getValue());
    }
    return due;
  }

  /**
   * Removes up to {@code most} blocks of minutes whose updates have all been sent. Returns the number of removed
   * blocks, which is below {@code most} if no other block is left to remove.
   */
  int removeSentBlocks(int most) {
    restore();
    var end = waiting.isEmpty() ? PREFIX + LAST : sortable(waiting.firstEntry().getValue().getAt());
    var count = 0;
    for (; count < most && !blocks.isEmpty() && blocks.first().compareTo(end) < 0; count++) {
      var block = blocks.removeFirst();
      store.put(block, null); // delete would read the value first
      if (block.equals(keyInProgress)) {
        minuteInProgress = Instant.MIN;
      }
    }
    return count;
  }

  private static String key(GroupUpdate update) {
    return sortable(update.getAt()) + Groups.memberKey(update);
  }

  private static String sortable(Instant minute) {
    return PREFIX + DueQueue.sortable(minute) + "/";
  }
}
