package io.tidemark.feed;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one client follows: a reader of each of its topics, as one stream of events. The id of an event has the offsets
 * of all topics, so a client goes on with each of them where it was. Thread-safe.
 */
public final class MergedFeed implements AutoCloseable {

  /** Stands between the offsets of two topics in an id. */
  static final String SEPARATOR = "~";

  private static final byte[] SEPARATOR_BYTES = SEPARATOR.getBytes(StandardCharsets.UTF_8);

  private final List<FeedReader> readers;
  private final Consumer<MergedFeed> onClose;

  /** How far the client has come in each topic. */
  private final byte[][] reached;

  /** Which reader comes first: each is at times, lest one with many records keeps the others waiting. */
  private int turn;

  private boolean isBegun;
  private boolean isEnded;
  private boolean isClosed;

  /**
   * @param readers one for each topic, in the order of the request
   * @param onClose hears once that it is closed
   */
  MergedFeed(List<FeedReader> readers, Consumer<MergedFeed> onClose) {
    this.readers = List.copyOf(readers);
    this.onClose = onClose;
    this.reached = new byte[readers.size()][];
  }

  /**
   * The offsets in the id of an event, topic by topic.
   *
   * @return null for a topic without offsets: it begins as at a first request
   * @throws IllegalArgumentException if it is no id of a feed of so many topics
   */
  static List<@Nullable FeedOffsets> parseId(String id, int topics) {
    var parts = id.split(SEPARATOR, -1);
    if (parts.length != topics) {
      throw new IllegalArgumentException("Last-Event-ID is of a feed of " + parts.length
          + " topics: send it with the same topics in the same order, or leave it out");
    }
    var offsets = new ArrayList<@Nullable FeedOffsets>();
    Arrays.stream(parts).map(part -> part.isEmpty() ? null : FeedOffsets.parse(part)).forEach(offsets::add);
    return offsets;
  }

  List<FeedReader> readers() {
    return readers;
  }

  /**
   * The next events, in the form of Server-Sent Events; empty where there are none.
   *
   * @param mostBytes that may be exceeded by one event of each topic
   * @param heartbeat whether the id alone is to be sent where there is no event
   */
  public synchronized FeedChunk next(int mostBytes, boolean heartbeat) {
    var out = new FeedChunk();
    if (hasBegun()) {
      for (var i = 0; i < readers.size() && out.size() < mostBytes && ending() == null; i++) {
        var topic = (turn + i) % readers.size();
        readers.get(topic).next((offsets, event) -> write(topic, offsets, event, out), out::size, mostBytes);
      }
      turn = (turn + 1) % readers.size();
    }
    var ending = ending();
    if (ending != null && !isEnded) {
      isEnded = true;
      out.add(FeedFrame.end(ending));
      end(ending);
    } else if (heartbeat && !isEnded && out.size() == 0) {
      writeHeartbeat(out);
    }
    return out;
  }

  /** Nothing is sent before it is known where each topic begins: an id names all of them. */
  private boolean hasBegun() {
    if (!isBegun && readers.stream().allMatch(FeedReader::hasBegun)) {
      isBegun = true;
      for (var i = 0; i < reached.length; i++) {
        reached[i] = readers.get(i).reached();
      }
    }
    return isBegun;
  }

  private void write(int topic, byte[] offsets, byte[] event, FeedChunk out) {
    reached[topic] = offsets;
    writeId(out);
    out.add(event);
  }

  private void writeId(FeedChunk out) {
    out.add(FeedFrame.ID);
    for (var i = 0; i < reached.length; i++) {
      if (i > 0) {
        out.add(SEPARATOR_BYTES);
      }
      out.add(reached[i]);
    }
    out.add(FeedFrame.EMPTY_LINE);
  }

  /** The offsets count what was read, not what passed the filter. */
  private void writeHeartbeat(FeedChunk out) {
    if (!isBegun) {
      out.add(FeedFrame.COMMENT);
      return;
    }
    for (var i = 0; i < reached.length; i++) {
      var now = readers.get(i).reached();
      reached[i] = now == null ? reached[i] : now;
    }
    writeId(out);
    out.add(FeedFrame.EMPTY_LINE);
  }

  /** Why it ends; null where it goes on. */
  private @Nullable String ending() {
    for (var reader : readers) {
      var ending = reader.ending();
      if (ending != null) {
        return ending;
      }
    }
    return null;
  }

  /** Whether {@link #next} has events. */
  public synchronized boolean hasMore() {
    if (isEnded || ending() != null) {
      return !isEnded;
    }
    if (hasBegun()) {
      for (var reader : readers) {
        if (reader.hasMore()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the event {@code end} was the last one. */
  public synchronized boolean isEnded() {
    return isEnded;
  }

  /** Whether it was ended because it took too little. */
  public boolean isTooSlow() {
    return readers.stream().anyMatch(FeedReader::isTooSlow);
  }

  /** Whether what is left is the event {@code end}: that it comes too late, the newest records are gone, shows here. */
  public boolean hasToEnd() {
    return readers.stream().anyMatch(FeedReader::hasToEnd);
  }

  /** Ends with a reason, without what was not taken yet. */
  public void end(String reason) {
    readers.forEach(reader -> reader.end(reason));
  }

  /** Ends it because it takes too little. */
  public void endTooSlow(String detail) {
    readers.forEach(reader -> reader.endTooSlow(detail));
  }

  /** Whether nobody wants more of it. */
  boolean isDone() {
    return readers.stream().anyMatch(FeedReader::isDone);
  }

  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    readers.forEach(FeedReader::close);
    onClose.accept(this);
  }

  @Override
  public String toString() {
    return readers.stream().map(reader -> reader.tail().topic().name()).collect(Collectors.joining(", "));
  }
}
