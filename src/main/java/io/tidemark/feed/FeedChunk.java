package io.tidemark.feed;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What one client gets at a time: parts, most of which other clients get as well. Nobody changes their bytes. */
public final class FeedChunk {

  private final List<byte[]> parts = new ArrayList<>();
  private int size;

  void add(byte[] part) {
    parts.add(part);
    size += part.length;
  }

  /** In bytes. */
  public int size() {
    return size;
  }

  /** Hands over each part, in order. */
  public void forEach(Consumer<byte[]> action) {
    parts.forEach(action);
  }

  /** A copy of all parts. */
  public byte[] toByteArray() {
    var all = ByteBuffer.allocate(size);
    parts.forEach(all::put);
    return all.array();
  }
}
