package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.TargetMembers;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The targets by the keys of their members, in a local store: made of {@code target.members} and kept beside it. */
final class MemberIndex {

  private static final int BATCH_PAGES = 100;

  private final LocalStore local;
  private final byte table;

  /** @param table first byte of its keys */
  MemberIndex(LocalStore local, int table) {
    this.local = local;
    this.table = (byte) table;
  }

  /** Fills an empty index with pages, in large batches. What is added is there when it is closed. */
  final class IndexFill implements AutoCloseable {
    private LocalStore.StoreBatch batch = local.batch();
    private int pages;

    void add(TargetMembers page) {
      page.getMembers().forEach(key -> batch.put(entry(key, page), new byte[0]));
      if (++pages % BATCH_PAGES == 0) {
        write();
        batch = local.batch();
      }
    }

    private void write() {
      try (var full = batch) {
        full.write();
      }
    }

    @Override
    public void close() {
      write();
    }
  }

  IndexFill fill() {
    return new IndexFill();
  }

  /** Replaces a page of a target by another; null where there is none. */
  void update(@Nullable TargetMembers before, @Nullable TargetMembers now) {
    var removed = without(before, now);
    var added = without(now, before);
    if (removed.isEmpty() && added.isEmpty()) {
      return;
    }
    try (var batch = local.batch()) {
      if (before != null) {
        removed.forEach(key -> batch.put(entry(key, before), null));
      }
      if (now != null) {
        added.forEach(key -> batch.put(entry(key, now), new byte[0]));
      }
      batch.write();
    }
  }

  /** The members of a page that another does not have. */
  private static Collection<String> without(@Nullable TargetMembers page, @Nullable TargetMembers other) {
    if (page == null || other == null) {
      return membersOf(page);
    }
    var members = new HashSet<>(membersOf(page));
    members.removeAll(membersOf(other));
    return members;
  }

  private static Collection<String> membersOf(@Nullable TargetMembers page) {
    return page == null ? List.of() : page.getMembers();
  }

  /** Visits the targets with a member until the visitor returns false; a target once for each page that has it. */
  void visit(String key, Predicate<String> visitor) {
    var prefix = prefix(key.getBytes(UTF_8), 0).array();
    local.scan(prefix, prefix, (entry, nothing) -> visitor
        .test(new String(entry, prefix.length, entry.length - prefix.length - Integer.BYTES, UTF_8)));
  }

  /** The page is part of it: a key may be on several pages of a target. */
  private byte[] entry(String key, TargetMembers page) {
    var target = page.getTarget().getBytes(UTF_8);
    return prefix(key.getBytes(UTF_8), target.length + Integer.BYTES).put(target).putInt(page.getPage()).array();
  }

  /** With the length of the key, so that none is the beginning of another. */
  private ByteBuffer prefix(byte[] key, int more) {
    return ByteBuffer.allocate(1 + Integer.BYTES + key.length + more).put(table).putInt(key.length).put(key);
  }
}
