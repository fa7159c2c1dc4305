package io.tidemark.capture.change;

import io.tidemark.event.DecimalMath;
import io.tidemark.event.FacetView;
import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.event.TokenPoolPrice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Derives the facet {@code pool_price} of a token: the token's price in its visible pool with the largest reserve. The
 * derivation needs no extra call to the service.
 */
record DeepestPoolPrice(ResourceDrafts drafts, SnapshotContext context) {
  private static final FacetView FACET = ResourceKind.TOKEN.facet("pool_price");

  /**
   * Derives the facet {@code pool_price} of the known base and quote tokens of every pool that the snapshot updates.
   */
  void derive() {
    for (var draft : List.copyOf(drafts.all())) {
      if (draft.kind() == ResourceKind.POOL && draft.isTouched()) {
        derive((Pool) draft.known());
      }
    }
  }

  private void derive(Pool pool) {
    var description = pool.getDescription();
    var price = pool.getPrice();
    var reserve = pool.getLiquidity() == null ? null : DecimalMath.number(pool.getLiquidity().getReserveInUsd());
    if (description != null && price != null && reserve != null) {
      derive(description.getBaseToken(), price.getBaseTokenPriceUsd(), pool.getId(), reserve);
      derive(description.getQuoteToken(), price.getQuoteTokenPriceUsd(), pool.getId(), reserve);
    }
  }

  private void derive(@Nullable String token, @Nullable String price, String pool, double reserve) {
    var figure = DecimalMath.number(price);
    var draft = token == null || figure == null ? null : drafts.find(ResourceKind.TOKEN, token);
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
