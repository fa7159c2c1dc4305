package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.market.Seen;
import java.io.IOException;
import java.util.Map;

/** Pools in on-chain answers. */
final class OnChainPools {
  private static final OnChainResource<Pool> POOL = OnChainResource.of("pool", Pool.class);

  private OnChainPools() {}

  static Found<Pool> read(JsonParser in, Asked asked) throws IOException {
    var found = POOL.read(in, asked.network());
    TokenPrice.read(found, asked);
    return found;
  }

  /** @param dexNames names of exchanges by id, as they were included */
  static Seen<Pool> seen(Found<Pool> found, Map<String, JsonValue> dexNames) {
    PoolDescription description = found.resource().getDescription();
    var name = description == null ? null : dexNames.get(description.getDex());
    if (name != null) {
      description.setDexName(Kind.text(name));
      keepOtherKind(found, name);
    }
    return found.seen();
  }

  /** A name that is none is null, and undocumented. */
  private static void keepOtherKind(Found<Pool> found, JsonValue name) {
    if (found.resource().getDescription().getDexName() == null) {
      found.nulls().add("description.dex_name");
      if (!name.equals(JsonValue.NULL)) {
        found.extra().fill(JsonObject.at(name, "relationships", "dex", "attributes", "name"));
      }
    }
  }

  static JsonObject write(Seen<Pool> pool, Asked asked, NameStyle names) {
    var object = POOL.write(pool, names);
    var price = TokenPrice.write(pool, asked);
    if (price != null) {
      object.object("attributes").put("token_price_usd", price);
    }
    object.fill(POOL.extra(pool));
    return object;
  }
}
