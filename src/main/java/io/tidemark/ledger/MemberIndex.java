package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.TargetMembers;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The targets by the keys of their members, in a local store: made of {@code target.members} and kept beside it. */
final class MemberIndex {

  private final LocalStore local;
  private final byte table;

  /** @param table first byte of its keys */
  MemberIndex(LocalStore local, int table) {
    this.local = local;
    this.table = (byte) table;
  }

  /** Replaces a page of a target by another, as part of a batch; null where there is none. */
  void update(LocalStore.StoreBatch batch, @Nullable TargetMembers before, @Nullable TargetMembers now) {
    if (before != null) {
      without(before, now).forEach(key -> batch.put(entry(key, before), null));
    }
    if (now != null) {
      without(now, before).forEach(key -> batch.put(entry(key, now), new byte[0]));
    }
  }

  /** The members of a page that another does not have. */
  private static Set<String> without(TargetMembers page, @Nullable TargetMembers other) {
    var members = new HashSet<>(page.getMembers());
    if (other != null) {
      other.getMembers().forEach(members::remove);
    }
    return members;
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
