package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolTokenPrice;
import io.tidemark.event.Token;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import io.tidemark.market.Answer.Dex;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Observation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A codec for the resource objects of an on-chain answer: pools, tokens and exchanges. In the facet {@code extra},
 * undocumented attributes keep their names, undocumented relationships are in the member {@code relationships}, and
 * other undocumented members are in the member {@code resource}. An undocumented attribute that is itself named
 * {@code relationships}, {@code resource} or {@code attributes} is in the member {@code attributes}.
 *
 * @param network the network of the query; null if it searches all networks, because each resource then names its own
 *     network
 * @param token address of the query's token, whose price a pool may contain; null if the query has no token
 * @param dexNames names of the exchanges in the answer, by id
 */
record ResourceObjects(@Nullable String network, @Nullable String token, Map<String, JsonNode> dexNames) {
  private static final ResourceCodec<Pool> POOL = ResourceCodec.of(Pool.class, true);
  private static final ResourceCodec<Token> TOKEN = ResourceCodec.of(Token.class, true);

  /** The price of the query's token, which may be the base or the quote token of a pool. */
  private static final String TOKEN_PRICE = "token_price_usd";

  private static final String TYPE = "type";
  private static final String ATTRIBUTES = "attributes";
  private static final String RELATIONSHIPS = "relationships";
  private static final String RESOURCE = "resource";
  private static final Set<String> RESERVED = Set.of(ATTRIBUTES, RELATIONSHIPS, RESOURCE);
  private static final String TOP_POOLS = "top_pools";

  Observation<Pool> readPool(JsonNode object) {
    return read(complete(POOL.read(object)).require("network").require("id").require("address"));
  }

  /** Reads a pool from a row of a list. The pool has no identity if the row lacks one. */
  Observation<Pool> readPoolRow(JsonNode row) {
    return read(complete(POOL.readRow(row)));
  }

  private Observation<Pool> read(DecodedResource<Pool> pool) {
    moveTokenPrice(pool);
    setDexName(pool);
    return pool.toObservation();
  }

  JsonNode writePool(Observation<Pool> pool, FieldNaming naming) {
    var object = POOL.writeAttributes(pool, naming);
    var price = tokenPrice(pool);
    if (price != null) {
      object.withObjectProperty(ATTRIBUTES).set(TOKEN_PRICE, price);
    }
    return Json.fill(object, nest(POOL.extra(pool)));
  }

  TokenAnswer readTokenAnswer(JsonNode object) {
    var token = complete(TOKEN.read(object)).require("network").require("id").require("address");
    var topPools = topPools(token.extra());
    return new TokenAnswer(token.toObservation(), topPools);
  }

  static JsonNode writeTokenAnswer(TokenAnswer answer, FieldNaming naming) {
    var object = writeToken(answer.token(), naming);
    if (answer.topPools() != null) {
      var data = object.withObjectProperty(RELATIONSHIPS).putObject(TOP_POOLS).putArray("data");
      answer.topPools().forEach(id -> data.addObject().put("id", id).put(TYPE, "pool"));
    }
    return object;
  }

  private static ObjectNode writeToken(Observation<Token> token, FieldNaming naming) {
    return Json.fill(TOKEN.writeAttributes(token, naming), nest(TOKEN.extra(token)));
  }

  Included readIncluded(JsonNode array) {
    var pools = new ArrayList<Observation<Pool>>();
    var tokens = new ArrayList<Observation<Token>>();
    var dexes = new ArrayList<Dex>();
    Json.elements(array, object -> {
      return switch (object.path(TYPE).asText()) {
        case "pool" -> pools.add(readPoolRow(object));
        case "token" -> tokens.add(complete(TOKEN.read(object)).toObservation());
        case "dex" -> dexes.add(readDex(object));
        default -> false;
      };
    });
    return new Included(pools, tokens, dexes);
  }

  JsonNode writeIncluded(Included included, FieldNaming naming) {
    var objects = JsonNodeFactory.instance.arrayNode();
    included.tokens().forEach(token -> objects.add(writeToken(token, naming)));
    included.pools().forEach(pool -> objects.add(writePool(pool, naming)));
    included.dexes().forEach(dex -> objects.addObject().put("id", dex.id()).put(TYPE, "dex")
        .putObject(ATTRIBUTES).put("name", dex.name()));
    return objects;
  }

  /** Reads an exchange. An exchange without an id gets an empty id, which matches the exchange of no pool. */
  private static Dex readDex(JsonNode object) {
    return new Dex(
        Objects.requireNonNullElse(Json.content(object.get("id")), ""), Json.content(object.at("/attributes/name")));
  }

  /**
   * Moves undocumented members to their places in {@code extra}, and derives a missing id, network or address if
   * possible. An address that does not match the id is also put into {@code extra}.
   */
  private <R extends SpecificRecord> DecodedResource<R> complete(DecodedResource<R> decoded) {
    var id = decoded.identity("id");
    var address = decoded.identity("address");
    var known = network == null ? network(decoded, id, address) : network;
    flatten(decoded.extra());
    if (known == null) {
      return decoded;
    }
    if (id == null && address != null) {
      decoded.set("id", known + "_" + address);
    } else if (address == null && id != null && id.startsWith(known + "_")) {
      decoded.set("address", id.substring(known.length() + 1));
    } else if (id != null && address != null && !endsWith(id, address)) {
      decoded.extra().put("address", address);
    }
    return decoded.set("network", known);
  }

  /**
   * Returns the network of a resource, from the relationship {@code network} or else from the id. Returns null if the
   * id does not consist of network, underscore and address. The address is needed to split the id, because network and
   * address may both contain underscores.
   */
  private static @Nullable String network(DecodedResource<?> decoded, @Nullable String id, @Nullable String address) {
    var related = Json.content(decoded.extra().at("/relationships/network/data/id"));
    if (related != null) {
      return related;
    }
    return id == null || address == null || id.length() < address.length() + 2 || !endsWith(id, address)
        ? null
        : id.substring(0, id.length() - address.length() - 1);
  }

  private static boolean endsWith(String id, String address) {
    var end = "_" + address;
    return id.regionMatches(true, id.length() - end.length(), end, 0, end.length());
  }

  private static void flatten(ObjectNode extra) {
    var sent = extra.deepCopy();
    extra.removeAll();
    sent.properties().forEach(member -> {
      if (member.getKey().equals(RELATIONSHIPS)) {
        extra.set(RELATIONSHIPS, member.getValue());
      } else if (!member.getKey().equals(ATTRIBUTES) || !member.getValue().isObject()) {
        extra.withObjectProperty(RESOURCE).set(member.getKey(), member.getValue());
      } else {
        member.getValue().properties().forEach(attribute -> placeOf(attribute.getKey(), extra)
            .set(attribute.getKey(), attribute.getValue()));
      }
    });
  }

  private static ObjectNode placeOf(String attribute, ObjectNode extra) {
    return RESERVED.contains(attribute) ? extra.withObjectProperty(ATTRIBUTES) : extra;
  }

  /**
   * Nests the undocumented members as they are nested in the service's JSON of a resource. Reverses {@link #flatten}.
   */
  private static ObjectNode nest(JsonNode extra) {
    var nested = Json.object();
    extra.properties().forEach(member -> {
      var alone = Json.object().set(member.getKey(), member.getValue());
      if (member.getKey().equals(RESOURCE) && member.getValue().isObject()) {
        Json.fill(nested, member.getValue());
      } else {
        Json.fill(nested, RESERVED.contains(member.getKey()) ? alone : Json.object().set(ATTRIBUTES, alone));
      }
    });
    return nested;
  }

  /**
   * Removes the ids of the top pools from {@code extra} and returns them. An id is empty if the reference to the pool
   * has no id. If the list of ids does not have the documented form, leaves the list in {@code extra} and returns null.
   */
  private static @Nullable List<String> topPools(ObjectNode extra) {
    var relationships = extra.path(RELATIONSHIPS);
    var sent = relationships.path(TOP_POOLS).path("data");
    if (!sent.isArray()) {
      return null;
    }
    var pools = Json.object(relationships.path(TOP_POOLS));
    pools.remove("data");
    if (pools.isEmpty()) {
      Json.object(relationships).remove(TOP_POOLS);
    }
    if (relationships.isEmpty()) {
      extra.remove(RELATIONSHIPS);
    }
    return Json.elements(sent, reference -> Objects.requireNonNullElse(Json.content(reference.get("id")), ""));
  }

  /** Returns a codec that also knows the names of the exchanges in {@code included}. */
  ResourceObjects withDexNames(JsonNode included) {
    var names = new HashMap<String, JsonNode>();
    for (var object : included) {
      var id = Json.content(object.get("id"));
      var name = object.at("/attributes/name");
      if (id != null && object.path(TYPE).asText().equals("dex") && !name.isMissingNode()) {
        names.putIfAbsent(id, name);
      }
    }
    return new ResourceObjects(network, token, names);
  }

  /**
   * Sets the name of a pool's exchange. If the sent name is neither a string nor a number, sets the name to null and
   * keeps the sent name as undocumented, unless it is null.
   */
  private void setDexName(DecodedResource<Pool> pool) {
    var description = pool.resource().getDescription();
    var sent = description == null ? null : dexNames.get(description.getDex());
    if (description == null || sent == null) {
      return;
    }
    description.setDexName(Json.content(sent));
    if (description.getDexName() == null) {
      pool.nulls().add("description.dex_name");
      if (!sent.isNull()) {
        Json.fill(pool.extra(), Json.object().set(RELATIONSHIPS,
            Json.object().set("dex", Json.object().set(ATTRIBUTES, Json.object().set("name", sent)))));
      }
    }
  }

  /**
   * Sets the token price on the side of the pool where the query's token is. The price stays undocumented if the
   * token is on neither side, or if the price is not a string, number or null.
   */
  private void moveTokenPrice(DecodedResource<Pool> pool) {
    var side = side(pool.resource());
    var sent = pool.extra().get(TOKEN_PRICE);
    if (side == null || sent == null) {
      return;
    }
    var price = Json.content(sent);
    if (price == null) {
      pool.nulls().add("token_price." + side);
    } else {
      var prices = new PoolTokenPrice();
      prices.put(side, price);
      pool.resource().setTokenPrice(prices);
    }
    if (price != null || sent.isNull()) {
      pool.extra().remove(TOKEN_PRICE);
    }
  }

  /**
   * Returns the price of the query's token, a JSON null if it is explicitly null, or null if the attribute is absent.
   */
  private @Nullable JsonNode tokenPrice(Observation<Pool> pool) {
    var side = side(pool.resource());
    if (side == null) {
      return null;
    }
    var path = "token_price." + side;
    var price = (String) AvroRecords.at(pool.resource(), path);
    return price != null || pool.nulls().contains(path) ? Json.string(price) : null;
  }

  /** Returns the field of {@code token_price} for the side of the pool where the query's token is, or null if none. */
  private @Nullable String side(Pool pool) {
    var description = pool.getDescription();
    if (description == null) {
      return null;
    }
    return isToken(description.getBaseToken()) ? "base" : isToken(description.getQuoteToken()) ? "quote" : null;
  }

  /** Returns whether an id is the id of the query's token. EVM addresses are compared without case. */
  private boolean isToken(@Nullable String id) {
    if (id == null || network == null || token == null) {
      return false;
    }
    var expected = network + "_" + token;
    return (token.startsWith("0x") || token.startsWith("0X")) ? expected.equalsIgnoreCase(id) : expected.equals(id);
  }
}
