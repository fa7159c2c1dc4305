package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.Map;

/** Pools in on-chain answers. */
final class PoolObjectCodec {
  private static final ResourceObjectCodec<Pool> POOL = ResourceObjectCodec.of("pool", Pool.class);

  private PoolObjectCodec() {}

  static DecodedResource<Pool> read(JsonParser in, QueryScope asked) throws IOException {
    var found = POOL.read(in, asked.network());
    PoolTokenPriceCodec.read(found, asked);
    return found;
  }

  /** @param dexNames names of exchanges by id, as they were included */
  static Observation<Pool> seen(DecodedResource<Pool> found, Map<String, JsonValue> dexNames) {
    PoolDescription description = found.resource().getDescription();
    var name = description == null ? null : dexNames.get(description.getDex());
    if (name != null) {
      description.setDexName(AttributeType.text(name));
      keepOtherKind(found, name);
    }
    return found.toObservation();
  }

  /** A name that is none is null, and undocumented. */
  private static void keepOtherKind(DecodedResource<Pool> found, JsonValue name) {
    if (found.resource().getDescription().getDexName() == null) {
      found.nulls().add("description.dex_name");
      if (!name.equals(JsonValue.NULL)) {
        found.extra().fill(JsonObject.at(name, "relationships", "dex", "attributes", "name"));
      }
    }
  }

  static JsonObject write(Observation<Pool> pool, QueryScope asked, FieldNaming names) {
    var object = POOL.write(pool, names);
    var price = PoolTokenPriceCodec.write(pool, asked);
    if (price != null) {
      object.object("attributes").put("token_price_usd", price);
    }
    object.fill(POOL.extra(pool));
    return object;
  }
}
