package io.tidemark.http.wire;

import io.tidemark.event.Pool;
import io.tidemark.event.PoolTokenPrice;
import io.tidemark.market.Observation;
import org.jspecify.annotations.Nullable;

/** The attribute token_price_usd: what it is the price of depends on the question. */
final class PoolTokenPriceCodec {
  private static final String ATTRIBUTE = "token_price_usd";

  private PoolTokenPriceCodec() {}

  /** Moves it to the side of the pool that was asked for; it stays undocumented where it is neither. */
  static void read(DecodedResource<Pool> found, QueryScope asked) {
    var side = side(found.resource(), asked);
    var sent = found.extra().at(ATTRIBUTE);
    if (side == null || sent == null) {
      return;
    }
    var price = AttributeType.text(sent);
    if (price == null) {
      found.nulls().add(side.path);
    } else {
      found.resource().setTokenPrice(side.of(price));
    }
    if (price != null || sent.equals(JsonValue.NULL)) {
      found.extra().remove(ATTRIBUTE);
    }
  }

  /** What is to be sent of it; null where nothing is. */
  static @Nullable JsonValue write(Observation<Pool> pool, QueryScope asked) {
    var side = side(pool.resource(), asked);
    if (side == null) {
      return null;
    }
    var price = side.price(pool.resource().getTokenPrice());
    if (price != null) {
      return JsonValue.string(price);
    }
    return pool.nulls().contains(side.path) ? JsonValue.NULL : null;
  }

  private static @Nullable Side side(Pool pool, QueryScope asked) {
    var description = pool.getDescription();
    if (description == null) {
      return null;
    }
    if (asked.isToken(description.getBaseToken())) {
      return Side.BASE;
    }
    return asked.isToken(description.getQuoteToken()) ? Side.QUOTE : null;
  }

  private enum Side {
    BASE("token_price.base"),
    QUOTE("token_price.quote");

    private final String path;

    Side(String path) {
      this.path = path;
    }

    PoolTokenPrice of(String price) {
      return this == BASE ? new PoolTokenPrice(price, null) : new PoolTokenPrice(null, price);
    }

    @Nullable
    String price(@Nullable PoolTokenPrice prices) {
      return prices == null ? null : this == BASE ? prices.getBase() : prices.getQuote();
    }
  }
}
