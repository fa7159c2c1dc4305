package io.tidemark.capture.change;

import io.tidemark.event.DecimalMath;
import io.tidemark.event.FacetView;
import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.event.TokenPoolPrice;
import org.jspecify.annotations.Nullable;

/**
 * Derives the facet {@code pool_price} of a token: the token's price in its visible pool with the largest reserve. The
 * derivation needs no extra call to the service.
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
   * the reserve of a token's pool has fallen, another pool of the snapshot may be the deepest now, even if that pool
   * did not change. Therefore, all pools of the snapshot are then compared with the pools of the tokens found.
   */
  void derive() {
    var pools = drafts.all().stream().filter(draft -> draft.kind() == ResourceKind.POOL).toList();
    pools.stream().filter(ResourceDraft::isTouched).forEach(pool -> derive((Pool) pool.known(), drafts::find));
    pools.forEach(pool -> derive((Pool) pool.known(), drafts::findDraft));
  }

  private void derive(Pool pool, TokenDrafts tokens) {
    var description = pool.getDescription();
    var price = pool.getPrice();
    var reserve = pool.getLiquidity() == null ? null : DecimalMath.number(pool.getLiquidity().getReserveInUsd());
    if (description != null && price != null && reserve != null) {
      derive(tokens, description.getBaseToken(), price.getBaseTokenPriceUsd(), pool.getId(), reserve);
      derive(tokens, description.getQuoteToken(), price.getQuoteTokenPriceUsd(), pool.getId(), reserve);
    }
  }

  private void derive(TokenDrafts tokens, @Nullable String token, @Nullable String price, String pool, double reserve) {
    var figure = DecimalMath.number(price);
    var draft = token == null || figure == null ? null : tokens.find(ResourceKind.TOKEN, token);
    if (draft != null && isDeepest(((Token) draft.known()).getPoolPrice(), pool, reserve)) {
      draft.derive(FACET, new TokenPoolPrice(figure, pool, reserve), context);
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
