package io.tidemark.capture.change;

import io.tidemark.event.DecimalMath;
import io.tidemark.event.FacetView;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.Token;
import io.tidemark.event.TokenPoolPrice;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Derives the facet {@code pool_price} of a token: the token's price in its visible pool with the largest reserve. All
 * its attributes are null if the price or the reserve of this pool is no longer known and no other pool took its place.
 * The derivation needs no extra call to the service.
 */
record DeepestPoolPrice(ResourceDrafts drafts, SnapshotContext context) {
  private static final FacetView FACET = ResourceKind.TOKEN.facet("pool_price");

  /** Either all known tokens, or only those that have a draft already. */
  private interface TokenDrafts {
    @Nullable
    ResourceDraft find(ResourceKind kind, String token);
  }

  /**
   * Derives the facet {@code pool_price} of the known base and quote tokens of every pool that the snapshot updates. If
   * a token's pool has a smaller reserve, or no known price or reserve, another pool of the snapshot may be the deepest
   * now, even if that pool did not change. Therefore, all pools of the snapshot are then compared with the pools of the
   * tokens found.
   */
  void derive() {
    var pools = drafts.all().stream().filter(draft -> draft.kind() == ResourceKind.POOL).toList();
    pools.stream().filter(ResourceDraft::isTouched).forEach(pool -> derive((Pool) pool.known(), drafts::find));
    pools.forEach(pool -> derive((Pool) pool.known(), drafts::findDraft));
  }

  private void derive(Pool pool, TokenDrafts tokens) {
    var description = pool.getDescription();
    if (description != null) {
      var price = Objects.requireNonNullElseGet(pool.getPrice(), PoolPrice::new);
      var reserve = pool.getLiquidity() == null ? null : DecimalMath.number(pool.getLiquidity().getReserveInUsd());
      derive(tokens, description.getBaseToken(), price.getBaseTokenPriceUsd(), pool.getId(), reserve);
      derive(tokens, description.getQuoteToken(), price.getQuoteTokenPriceUsd(), pool.getId(), reserve);
    }
  }

  private void derive(
      TokenDrafts tokens, @Nullable String token, @Nullable String price, String pool, @Nullable Double reserve) {
    var draft = token == null ? null : tokens.find(ResourceKind.TOKEN, token);
    if (draft != null) {
      var known = ((Token) draft.known()).getPoolPrice();
      var figure = DecimalMath.number(price);
      if (figure == null || reserve == null) {
        forget(draft, known, pool);
      } else if (isDeepest(known, pool, reserve)) {
        draft.derive(FACET, new TokenPoolPrice(figure, pool, reserve), context);
      }
    }
  }

  /** Makes the token's price unknown if it is that of the given pool, whose price or reserve is not known. */
  private void forget(ResourceDraft token, @Nullable TokenPoolPrice known, String pool) {
    if (known != null && pool.equals(known.getPool())) {
      token.derive(FACET, new TokenPoolPrice(), context);
    }
  }

  private boolean isDeepest(@Nullable TokenPoolPrice known, String pool, double reserve) {
    return known == null
        || known.getReserveUsd() == null
        || pool.equals(known.getPool())
        || reserve > known.getReserveUsd()
        || known.getPool() == null
        || !drafts.isVisible(ResourceKind.POOL, known.getPool());
  }
}
