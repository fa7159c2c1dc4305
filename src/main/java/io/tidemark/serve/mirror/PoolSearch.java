package io.tidemark.serve.mirror;

import io.tidemark.event.DecimalMath;
import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An index that finds known pools by address, name and symbol. One thread writes; any thread reads. */
final class PoolSearch {
  /**
   * Maximum number of characters of a name, symbol or token address that are indexed; the rest is cut off. The limit
   * is needed because anyone can choose a name.
   */
  private static final int LONGEST_NAME = 100;

  private static final int MOST_TERMS = 8;

  private final Map<String, IndexedPool> pools = new ConcurrentHashMap<>();
  private final Map<String, IndexedToken> tokens = new ConcurrentHashMap<>();

  /**
   * @param weight geometric mean of the pool's volume and liquidity; 0 if the pool lacks either, so that it is found
   *     last
   */
  private record IndexedPool(String id, String network, String name, String base, String quote, double weight) {

    /** Returns whether the pool has the given address. An id is the network, an underscore and the address. */
    boolean isAt(String address) {
      var begin = network.length() + 1;
      return id.length() == begin + address.length() && id.regionMatches(true, begin, address, 0, address.length());
    }
  }

  private record IndexedToken(String address, String name, String symbol) {
    static final IndexedToken UNKNOWN = new IndexedToken("", "", "");

    boolean contains(String term) {
      return name.contains(term) || symbol.contains(term);
    }
  }

  /** @param key interned key of the pool's state */
  void put(String key, Pool pool) {
    var description = pool.getDescription();
    if (description == null) {
      return;
    }
    pools.put(key, new IndexedPool(key, pool.getNetwork().intern(), lowerCase(description.getName()),
        tokenId(description.getBaseToken()), tokenId(description.getQuoteToken()), weight(pool)));
  }

  /** @param key interned key of the token's state */
  void put(String key, Token token) {
    var description = token.getDescription();
    tokens.put(key, new IndexedToken(lowerCase(token.getAddress()),
        lowerCase(description == null ? null : description.getName()),
        lowerCase(description == null ? null : description.getSymbol())));
  }

  void removePool(String key) {
    pools.remove(key);
  }

  void removeToken(String key) {
    tokens.remove(key);
  }

  /**
   * Returns the ids of the pools that match a text, beginning with the pool of the largest weight. A pool matches if
   * the text is the address of the pool or of one of its tokens, or if each term of the text occurs in the pool's
   * name or in the name or symbol of one of its tokens. Terms are separated by spaces or slashes; those after the
   * eighth are ignored. Upper and lower case are not distinguished.
   *
   * @param network network of the pools; null for all networks
   * @param limit maximum number of ids
   */
  List<String> find(String text, @Nullable String network, int limit) {
    var address = text.strip().toLowerCase(Locale.ROOT);
    var terms = terms(address);
    if (terms.isEmpty()) {
      return List.of();
    }
    return pools.values().stream()
        .filter(pool -> (network == null || network.equals(pool.network())) && matches(pool, address, terms))
        .sorted(Comparator.comparingDouble(IndexedPool::weight).reversed().thenComparing(IndexedPool::id))
        .limit(limit)
        .map(IndexedPool::id)
        .toList();
  }

  /**
   * Returns the ids of the tokens that match a text in the same way, beginning with those that have it as their symbol.
   */
  List<String> findTokens(String text, int limit) {
    var address = text.strip().toLowerCase(Locale.ROOT);
    var terms = terms(address);
    return tokens.entrySet().stream()
        .filter(each -> !terms.isEmpty()
            && (each.getValue().address().equals(address) || terms.stream().allMatch(each.getValue()::contains)))
        .sorted(
            Comparator.comparing((Map.Entry<String, IndexedToken> each) -> !each.getValue().symbol().equals(address))
                .thenComparing(Map.Entry::getKey))
        .limit(limit)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the first terms of a text, in lower case. */
  static List<String> terms(String text) {
    return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[\\s/]+", 0))
        .filter(each -> !each.isEmpty()).limit(MOST_TERMS).toList();
  }

  private boolean matches(IndexedPool pool, String address, List<String> terms) {
    var base = tokens.getOrDefault(pool.base(), IndexedToken.UNKNOWN);
    var quote = tokens.getOrDefault(pool.quote(), IndexedToken.UNKNOWN);
    if (pool.isAt(address) || address.equals(base.address()) || address.equals(quote.address())) {
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
