package io.tidemark.change;

import io.tidemark.event.FacetMemory;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.Token;
import io.tidemark.event.TokenPoolPrice;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Prices of tokens from the deepest pool in sight: a facet of the token that costs no call. */
final class PoolPrices {
  private static final String FACET = "pool_price";

  private PoolPrices() {}

  /** Lets the pools of a sweep inform the tokens they trade, as far as these are known. */
  static void derive(Drafts drafts, Look look) {
    for (Draft draft : List.copyOf(drafts.all())) {
      if (draft.kind == Kind.POOL && draft.touched) {
        inform((Pool) draft.known, drafts, look);
      }
    }
  }

  private static void inform(Pool pool, Drafts drafts, Look look) {
    PoolDescription description = pool.getDescription();
    PoolPrice price = pool.getPrice();
    Double reserve = pool.getLiquidity() == null ? null : Figures.number(pool.getLiquidity().getReserveInUsd());
    if (description != null && price != null && reserve != null) {
      inform(description.getBaseToken(), price.getBaseTokenPriceUsd(), pool, reserve, drafts, look);
      inform(description.getQuoteToken(), price.getQuoteTokenPriceUsd(), pool, reserve, drafts, look);
    }
  }

  private static void inform(
      @Nullable String token, @Nullable String price, Pool pool, double reserve, Drafts drafts, Look look) {
    Double figure = Figures.number(price);
    Draft draft = token == null || figure == null ? null : drafts.find(Kind.TOKEN, token);
    if (draft != null && deepest((Token) draft.known, pool, reserve, drafts)) {
      put(draft, new TokenPoolPrice(figure, pool.getId(), reserve), look);
    }
  }

  private static boolean deepest(Token token, Pool pool, double reserve, Drafts drafts) {
    TokenPoolPrice known = token.getPoolPrice();
    return known == null
        || known.getReserveUsd() == null
        || pool.getId().equals(known.getPool())
        || reserve > known.getReserveUsd()
        || !inSight(known.getPool(), drafts);
  }

  private static boolean inSight(@Nullable String pool, Drafts drafts) {
    Remembered memory = pool == null ? null : drafts.memory(Kind.POOL, pool);
    return memory != null && memory.values().getInSight() && memory.values().getLeft() == null;
  }

  private static void put(Draft draft, TokenPoolPrice price, Look look) {
    Token token = (Token) draft.known;
    if (Objects.equals(token.getPoolPrice(), price)) {
      return;
    }
    FacetMemory memory = draft.memory.facet(FACET);
    if (memory == null) {
      draft.memory.begin(FACET, draft.memory.place(look.target().name()), look.observedAt(), draft.asOf);
    } else {
      draft.noteLastSeen(FACET, memory.getObservedAt(), look);
      memory.setObservedAt(look.observedAt());
    }
    token.setPoolPrice(price);
    draft.touched = true;
  }
}
