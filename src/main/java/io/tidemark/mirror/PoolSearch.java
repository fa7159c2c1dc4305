package io.tidemark.mirror;

import io.tidemark.event.DecimalMath;
import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Finds known pools by address, name and symbol. One thread writes; any thread reads. */
final class PoolSearch {
  /** Strangers choose names. */
  private static final int LONGEST_NAME = 100;

  private static final int MOST_TERMS = 8;

  /** Matches whose changes are noticed one by one; with more, each change of any pool counts. */
  private static final int MOST_COMPARED = 500;

  private final Map<String, IndexedPool> pools = new ConcurrentHashMap<>();
  private final Map<String, IndexedToken> tokens = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();

  /** Changes of what is searched: all but those of weights alone. */
  private final AtomicLong textChanges = new AtomicLong();

  /**
   * What a search found.
   *
   * @param pools their ids, the weightiest first
   * @param validity whether the same search would find the same now
   * @param compared how many pools that test compares one by one
   */
  record PoolMatches(List<String> pools, BooleanSupplier validity, int compared) {}

  /** @param weight the geometric mean of its volume and its liquidity: a pool that lacks either is last */
  private record IndexedPool(
      String id, String network, String address, String name, String base, String quote, double weight) {

    boolean hasTextOf(@Nullable IndexedPool other) {
      return other != null && equals(new IndexedPool(
          other.id, other.network, other.address, other.name, other.base, other.quote, weight));
    }
  }

  private record IndexedToken(String address, String name, String symbol) {
    static final IndexedToken UNKNOWN = new IndexedToken("", "", "");

    boolean contains(String term) {
      return name.contains(term) || symbol.contains(term);
    }
  }

  /** @param key of its state, interned */
  void put(String key, Pool pool) {
    var description = pool.getDescription();
    if (description == null) {
      return;
    }
    var indexed = new IndexedPool(key, pool.getNetwork().intern(), lowerCase(pool.getAddress()),
        lowerCase(description.getName()), tokenId(description.getBaseToken()), tokenId(description.getQuoteToken()),
        weight(pool));
    var before = pools.get(key);
    if (!indexed.equals(before)) {
      pools.put(key, indexed);
      changes.incrementAndGet();
    }
    if (!indexed.hasTextOf(before)) {
      textChanges.incrementAndGet();
    }
  }

  /** @param key of its state, interned */
  void put(String key, Token token) {
    var description = token.getDescription();
    var indexed = new IndexedToken(lowerCase(token.getAddress()),
        lowerCase(description == null ? null : description.getName()),
        lowerCase(description == null ? null : description.getSymbol()));
    if (!indexed.equals(tokens.put(key, indexed))) {
      noteTextChange();
    }
  }

  void remove(String key) {
    var pool = pools.remove(key);
    var token = tokens.remove(key);
    if (pool != null || token != null) {
      noteTextChange();
    }
  }

  private void noteTextChange() {
    changes.incrementAndGet();
    textChanges.incrementAndGet();
  }

  /**
   * The pools that an address or terms find.
   *
   * @param limit how many ids are returned at most
   * @param network null for all networks
   */
  PoolMatches find(String text, @Nullable String network, int limit) {
    var address = text.strip().toLowerCase(Locale.ROOT);
    var terms = Arrays.stream(address.split("[\\s/]+", 0)).filter(each -> !each.isEmpty()).limit(MOST_TERMS).toList();
    if (terms.isEmpty()) {
      return new PoolMatches(List.of(), () -> true, 0);
    }
    var changesBefore = changes.get();
    var textChangesBefore = textChanges.get();
    var found = new ArrayList<IndexedPool>();
    for (var pool : pools.values()) {
      if ((network == null || network.equals(pool.network())) && matches(pool, address, terms)) {
        found.add(pool);
      }
    }
    found.sort(Comparator.comparingDouble(IndexedPool::weight).reversed().thenComparing(IndexedPool::id));
    var first = found.stream().limit(limit).map(IndexedPool::id).toList();
    if (found.size() > MOST_COMPARED) {
      return new PoolMatches(first, () -> changes.get() == changesBefore, 0);
    }
    var ids = found.stream().map(IndexedPool::id).toArray(String[]::new);
    var weights = found.stream().mapToDouble(IndexedPool::weight).toArray();
    return new PoolMatches(
        first, () -> textChanges.get() == textChangesBefore && haveWeights(ids, weights), ids.length);
  }

  private boolean haveWeights(String[] ids, double[] weights) {
    for (var i = 0; i < ids.length; i++) {
      var pool = pools.get(ids[i]);
      if (pool == null || Double.compare(pool.weight(), weights[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean matches(IndexedPool pool, String address, List<String> terms) {
    var base = tokens.getOrDefault(pool.base(), IndexedToken.UNKNOWN);
    var quote = tokens.getOrDefault(pool.quote(), IndexedToken.UNKNOWN);
    if (address.equals(pool.address()) || address.equals(base.address()) || address.equals(quote.address())) {
      return true;
    }
    for (var term : terms) {
      if (!pool.name().contains(term) && !base.contains(term) && !quote.contains(term)) {
        return false;
      }
    }
    return true;
  }

  private static double weight(Pool pool) {
    var volumes = pool.getActivity() == null ? null : pool.getActivity().getVolumeUsd();
    var volume = volumes == null ? null : DecimalMath.number(volumes.getH24());
    var reserve = pool.getLiquidity() == null ? null : DecimalMath.number(pool.getLiquidity().getReserveInUsd());
    return volume == null || reserve == null ? 0 : Math.sqrt(Math.max(0, volume)) * Math.sqrt(Math.max(0, reserve));
  }

  private static String tokenId(@Nullable String id) {
    return id == null ? "" : id.intern();
  }

  private static String lowerCase(@Nullable String text) {
    return text == null ? "" : text.substring(0, Math.min(text.length(), LONGEST_NAME)).toLowerCase(Locale.ROOT);
  }
}
