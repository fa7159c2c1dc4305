package io.tidemark.stream.aggregate;

import com.google.common.collect.Streams;
import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
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
 * The updates of one partition that wait for the end of their minute, each by minute, group and member: the last one of a
 * minute counts.
 *
 * <p>They are in memory. For a task that goes on elsewhere, they are also in a store, in blocks in the order in which they
 * came: many updates are one record of its changelog, and the blocks of a minute are removed when all of it is sent. Such a
 * task sends again what was sent of a minute whose blocks were left. That changes nothing, as its tick was not sent.
 */
final class WaitingUpdates {

  /** A block of this size is full: each commit writes the block in progress again. */
  private static final int BLOCK_BYTES = 4_096;

  /** Sorts behind the times of other entries in the store. */
  private static final String PREFIX = "block/";

  /** Sorts behind all digits. */
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

  /** Reads those that a task stored before, at the first use; the store may hold other keys too. */
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

  /** Replaces an update of the same minute, group and member. It is stored with {@link #save}. */
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

  /** Stores the block in progress, once for all updates of a record. */
  void save() {
    if (isChanged) {
      store.put(keyInProgress, blockInProgress.toByteArray());
      blocks.add(keyInProgress);
      isChanged = false;
    }
  }

  /** Removes and returns those of the minutes up to one, the earliest; fewer than {@code most} where none is left. */
  List<GroupUpdate> removeDue(Instant minute, int most) {
    restore();
    var due = new ArrayList<GroupUpdate>();
    var end = PREFIX + DueQueue.sortable(minute) + "0"; // '0' is next to '/'
    while (due.size() < most && !waiting.isEmpty() && waiting.firstKey().compareTo(end) < 0) {
      due.add(waiting.pollFirstEntry().getValue());
    }
    return due;
  }

  /** Removes blocks of minutes of which no update waits, and gives their number: below {@code most} at the end. */
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
