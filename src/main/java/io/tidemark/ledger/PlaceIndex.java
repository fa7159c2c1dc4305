package io.tidemark.ledger;

/**
 * Where the values of keys are in a {@link ValueLog}: a hash table of hashes and places, 32 bits each, in one array. Keys
 * are not in it, so that a place that is found may be that of another key with the same hash.
 *
 * <p>An entry is at the index that its hash names, or behind it without a gap.
 */
final class PlaceIndex {
  private static final int FIRST_LENGTH = 64;

  private long[] entries = new long[FIRST_LENGTH];
  private int size;

  /** The number of keys. */
  int size() {
    return size;
  }

  /** Where the search for a hash begins. */
  int first(int hash) {
    return hash & entries.length - 1;
  }

  /** Where it goes on, until an entry is not used. */
  int after(int entry) {
    return entry + 1 & entries.length - 1;
  }

  boolean isUsed(int entry) {
    return entries[entry] != 0;
  }

  int hash(int entry) {
    return (int) (entries[entry] >>> Integer.SIZE);
  }

  int place(int entry) {
    return (int) entries[entry];
  }

  /** The entry that has both; -1 where there is none. */
  int find(int hash, int place) {
    for (var entry = first(hash); isUsed(entry); entry = after(entry)) {
      if (entries[entry] == value(hash, place)) {
        return entry;
      }
    }
    return -1;
  }

  /** @param entry to be replaced; -1 for another one */
  void put(int entry, int hash, int place) {
    if (entry >= 0) {
      entries[entry] = value(hash, place);
      return;
    }
    if (++size > entries.length / 4 * 3) {
      var before = entries;
      entries = new long[2 * before.length];
      for (var each : before) {
        if (each != 0) {
          add(each);
        }
      }
    }
    add(value(hash, place));
  }

  /** Moves entries after it that would not be found any more. */
  void remove(int entry) {
    size--;
    var gap = entry;
    entries[gap] = 0;
    for (var each = after(gap); isUsed(each); each = after(each)) {
      var moved = entries[each];
      var distance = each - first(hash(each)) & entries.length - 1;
      if (distance >= (each - gap & entries.length - 1)) {
        entries[gap] = moved;
        entries[each] = 0;
        gap = each;
      }
    }
  }

  private void add(long value) {
    var entry = first((int) (value >>> Integer.SIZE));
    while (isUsed(entry)) {
      entry = after(entry);
    }
    entries[entry] = value;
  }

  private static long value(int hash, int place) {
    return ((long) hash << Integer.SIZE) | (place & 0xFFFF_FFFFL);
  }
}
