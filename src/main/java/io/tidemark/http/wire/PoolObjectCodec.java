package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolTokenPrice;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Resource objects of pools. */
final class PoolObjectCodec {
  private static final ResourceObjectCodec<Pool> POOL = ResourceObjectCodec.of("pool", Pool.class);

  /** The price of the token in the query: which side of the pool that is depends on the query. */
  private static final String TOKEN_PRICE = "token_price_usd";

  private PoolObjectCodec() {}

  static DecodedResource<Pool> read(JsonParser in, QueryScope scope) throws IOException {
    var decoded = POOL.read(in, scope.network());
    moveTokenPrice(decoded, scope);
    return decoded;
  }

  /** @param dexNames names of exchanges by id, as the answer includes them */
  static Observation<Pool> toObservation(DecodedResource<Pool> decoded, Map<String, JsonValue> dexNames) {
    PoolDescription description = decoded.resource().getDescription();
    var name = description == null ? null : dexNames.get(description.getDex());
    if (name != null) {
      description.setDexName(AttributeType.text(name));
      if (description.getDexName() == null) {
        addDexNameAsExtra(decoded, name);
      }
    }
    return decoded.toObservation();
  }

  /** A name that is no text is null, and undocumented. */
  private static void addDexNameAsExtra(DecodedResource<Pool> decoded, JsonValue name) {
    decoded.nulls().add("description.dex_name");
    if (!name.equals(JsonValue.NULL)) {
      decoded.extra().fill(JsonObject.at(name, "relationships", "dex", "attributes", "name"));
    }
  }

  static JsonObject write(Observation<Pool> pool, QueryScope scope, FieldNaming naming) {
    var object = POOL.write(pool, naming);
    var price = tokenPrice(pool, scope);
    if (price != null) {
      object.object("attributes").put(TOKEN_PRICE, price);
    }
    return object.fill(POOL.extra(pool));
  }

  /** Sets the price on the side of the query's token. It stays undocumented where the token is on neither side. */
  private static void moveTokenPrice(DecodedResource<Pool> decoded, QueryScope scope) {
    var side = side(decoded.resource(), scope);
    var sent = decoded.extra().at(TOKEN_PRICE);
    if (side == null || sent == null) {
      return;
    }
    var price = AttributeType.text(sent);
    if (price == null) {
      decoded.nulls().add(side.path);
    } else {
      decoded.resource().setTokenPrice(side.of(price));
    }
    if (price != null || sent.equals(JsonValue.NULL)) {
      decoded.extra().remove(TOKEN_PRICE);
    }
  }

  /** Null where the attribute is absent. */
  private static @Nullable JsonValue tokenPrice(Observation<Pool> pool, QueryScope scope) {
    var side = side(pool.resource(), scope);
    if (side == null) {
      return null;
    }
    var price = side.price(pool.resource().getTokenPrice());
    if (price != null) {
      return JsonValue.string(price);
    }
    return pool.nulls().contains(side.path) ? JsonValue.NULL : null;
  }

  private static @Nullable PoolSide side(Pool pool, QueryScope scope) {
    var description = pool.getDescription();
    if (description == null) {
      return null;
    }
    if (scope.isToken(description.getBaseToken())) {
      return PoolSide.BASE;
    }
    return scope.isToken(description.getQuoteToken()) ? PoolSide.QUOTE : null;
  }

  private enum PoolSide {
    BASE("token_price.base"),
    QUOTE("token_price.quote");

    private final String path;

    PoolSide(String path) {
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
