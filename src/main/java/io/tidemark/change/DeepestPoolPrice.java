package io.tidemark.change;

import io.tidemark.event.FacetMemory;
import io.tidemark.event.FigureMath;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.Token;
import io.tidemark.event.TokenPoolPrice;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Prices of tokens from the deepest pool in sight: a facet of the token that costs no call. */
final class DeepestPoolPrice {
  private static final String FACET = "pool_price";

  private DeepestPoolPrice() {}

  /** Lets the pools of a sweep inform the tokens they trade, as far as these are known. */
  static void derive(ResourceDrafts drafts, SnapshotContext look) {
    for (ResourceDraft draft : List.copyOf(drafts.all())) {
      if (draft.kind == ResourceKind.POOL && draft.touched) {
        inform((Pool) draft.known, drafts, look);
      }
    }
  }

  private static void inform(Pool pool, ResourceDrafts drafts, SnapshotContext look) {
    PoolDescription description = pool.getDescription();
    PoolPrice price = pool.getPrice();
    Double reserve = pool.getLiquidity() == null ? null : FigureMath.number(pool.getLiquidity().getReserveInUsd());
    if (description != null && price != null && reserve != null) {
      inform(description.getBaseToken(), price.getBaseTokenPriceUsd(), pool, reserve, drafts, look);
      inform(description.getQuoteToken(), price.getQuoteTokenPriceUsd(), pool, reserve, drafts, look);
    }
  }

  private static void inform(
      @Nullable String token, @Nullable String price, Pool pool, double reserve, ResourceDrafts drafts,
      SnapshotContext look) {
    Double figure = FigureMath.number(price);
    ResourceDraft draft = token == null || figure == null ? null : drafts.find(ResourceKind.TOKEN, token);
    if (draft != null && deepest((Token) draft.known, pool, reserve, drafts)) {
      put(draft, new TokenPoolPrice(figure, pool.getId(), reserve), look);
    }
  }

  private static boolean deepest(Token token, Pool pool, double reserve, ResourceDrafts drafts) {
    TokenPoolPrice known = token.getPoolPrice();
    return known == null
        || known.getReserveUsd() == null
        || pool.getId().equals(known.getPool())
        || reserve > known.getReserveUsd()
        || !inSight(known.getPool(), drafts);
  }

  private static boolean inSight(@Nullable String pool, ResourceDrafts drafts) {
    DetectionMemory memory = pool == null ? null : drafts.memory(ResourceKind.POOL, pool);
    return memory != null && memory.values().getVisible() && memory.values().getRemoved() == null;
  }

  private static void put(ResourceDraft draft, TokenPoolPrice price, SnapshotContext look) {
    Token token = (Token) draft.known;
    if (Objects.equals(token.getPoolPrice(), price)) {
      return;
    }
    FacetMemory memory = draft.memory.facet(FACET);
    if (memory == null) {
      draft.memory.begin(FACET, draft.memory.place(look.target().name()), look.observedAt(), draft.asOf);
    } else {
      draft.noteLastObserved(FACET, memory.getObservedAt(), look);
      memory.setObservedAt(look.observedAt());
    }
    token.setPoolPrice(price);
    draft.touched = true;
  }
}
