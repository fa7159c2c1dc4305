package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolTokenPrice;
import io.tidemark.http.wire.JsonValue.JsonText;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** On-chain answers: resource objects in {@code data}, related ones in {@code included}. */
record OnChainAnswerCodec<Q, A>(Function<Q, QueryScope> scope, Function<Q, QueryScope> scopeOfIncluded,
    DataReader<A> reader, DataWriter<A> writer, Function<AnswerSchemas, ObjectNode> dataSchema)
    implements AnswerCodec<Q, OnChainAnswer<A>> {

  private static final ResourceCodec<Pool> POOL = ResourceCodec.of(Pool.class, true);

  /** The price of the query's token: which side of the pool that is depends on the query. */
  private static final String TOKEN_PRICE = "token_price_usd";

  /** Reads {@code data}. It is complete with the names of exchanges, by id, that the whole answer includes. */
  private interface DataReader<A> {
    Function<Map<String, JsonValue>, A> read(JsonParser in, QueryScope scope) throws IOException;
  }

  /** Writes {@code data}. */
  private interface DataWriter<A> {
    JsonValue write(A data, QueryScope scope, FieldNaming naming);
  }

  /** One pool. */
  static OnChainAnswerCodec<Query.PoolByAddress, Observation<Pool>> pool() {
    Function<Query.PoolByAddress, QueryScope> scope = query -> new QueryScope(query.network(), null);
    return new OnChainAnswerCodec<>(scope, scope, OnChainAnswerCodec::readOnePool, OnChainAnswerCodec::writePool,
        OnChainAnswerCodec::poolSchema);
  }

  /** A list of pools. The query's token says nothing of included pools. */
  static <Q> OnChainAnswerCodec<Q, List<Observation<Pool>>> pools(Function<Q, QueryScope> scope) {
    return new OnChainAnswerCodec<>(scope, query -> new QueryScope(scope.apply(query).network(), null),
        (in, each) -> {
          var pools = readPools(in, each);
          return dexNames -> pools.stream().map(pool -> complete(pool, dexNames)).toList();
        },
        (pools, each, naming) -> JsonValue.list(pools.stream().map(pool -> writePool(pool, each, naming)).toList()),
        schemas -> AnswerSchemas.list(poolSchema(schemas)));
  }

  /** A token. Included pools have its price. */
  static OnChainAnswerCodec<Query.TokenByAddress, TokenAnswer> token() {
    Function<Query.TokenByAddress, QueryScope> scope = query -> new QueryScope(query.network(), query.address());
    return new OnChainAnswerCodec<>(scope, scope,
        (in, each) -> {
          var token = TokenObjectCodec.readAnswer(in, each);
          return dexNames -> token;
        },
        (token, each, naming) -> TokenObjectCodec.writeAnswer(token, naming),
        TokenObjectCodec::schema);
  }

  @Override
  public OnChainAnswer<A> read(Q query, JsonParser in) throws IOException {
    var answer = new PartialAnswer<A>(new IncludedObjectsCodec(scopeOfIncluded.apply(query)));
    StrictJson.members(in, name -> {
      switch (name) {
        case "data" -> answer.data = reader.read(in, scope.apply(query));
        case "included" -> answer.readIncluded(in);
        default -> StrictJson.skip(in);
      }
    });
    return answer.toAnswer();
  }

  @Override
  public JsonValue write(Q query, OnChainAnswer<A> answer, FieldNaming naming) {
    var body = JsonObject.ordered().put("data", writer.write(answer.data(), scope.apply(query), naming));
    if (answer.included() != null) {
      body.put("included", IncludedObjectsCodec.write(answer.included(), scopeOfIncluded.apply(query), naming));
    }
    return body;
  }

  @Override
  public ObjectNode schema(AnswerSchemas schemas) {
    var object = AnswerSchemas.objectWith(AnswerSchemas.DATA, dataSchema.apply(schemas));
    AnswerSchemas.addMember(object, "included", IncludedObjectsCodec.schema(schemas));
    return object;
  }

  /** A reference to the schema of a pool. */
  static ObjectNode poolSchema(AnswerSchemas schemas) {
    return schemas.component("Pool", () -> {
      var pool = schemas.schema(POOL);
      AnswerSchemas.addMember((ObjectNode) pool.required("properties").required("attributes"), TOKEN_PRICE,
          AnswerSchemas.orNull(AnswerSchemas.text()));
      return pool;
    });
  }

  /** An answer that is partly read: {@code included} may come last. */
  private static final class PartialAnswer<A> {
    private final IncludedObjectsCodec included;
    private boolean hasIncluded;
    private @Nullable Function<Map<String, JsonValue>, A> data;

    PartialAnswer(IncludedObjectsCodec included) {
      this.included = included;
    }

    void readIncluded(JsonParser in) throws IOException {
      if (!in.hasToken(JsonToken.VALUE_NULL)) {
        hasIncluded = true;
        included.read(in);
      }
    }

    OnChainAnswer<A> toAnswer() throws MalformedAnswerException {
      if (data == null) {
        throw new MalformedAnswerException("no member data");
      }
      return new OnChainAnswer<>(data.apply(included.dexNames()), hasIncluded ? included.included() : null);
    }
  }

  /** An object, or (in the service's own examples) an array of one object. */
  private static Function<Map<String, JsonValue>, Observation<Pool>> readOnePool(JsonParser in, QueryScope scope)
      throws IOException {
    var pools = in.hasToken(JsonToken.START_ARRAY) ? readPools(in, scope) : List.of(readPool(in, scope));
    if (pools.size() != 1) {
      throw new MalformedAnswerException("expected one pool, found " + pools.size());
    }
    return dexNames -> complete(pools.getFirst(), dexNames);
  }

  private static List<DecodedResource<Pool>> readPools(JsonParser in, QueryScope scope) throws IOException {
    var pools = new ArrayList<DecodedResource<Pool>>();
    StrictJson.elements(in, () -> pools.add(readPool(in, scope)));
    return pools;
  }

  static DecodedResource<Pool> readPool(JsonParser in, QueryScope scope) throws IOException {
    return complete(POOL.read(in), scope);
  }

  /** The pool whose object the parser is in, behind its id and its type. */
  static DecodedResource<Pool> readRemainingPool(String id, JsonParser in, QueryScope scope) throws IOException {
    return complete(POOL.readRemaining(id, in), scope);
  }

  private static DecodedResource<Pool> complete(DecodedResource<Pool> pool, QueryScope scope) throws IOException {
    ResourceObjects.complete(pool, scope.network());
    moveTokenPrice(pool, scope);
    return pool;
  }

  /** A pool with the name of its exchange. A name that is no text is null, and undocumented. */
  static Observation<Pool> complete(DecodedResource<Pool> pool, Map<String, JsonValue> dexNames) {
    PoolDescription description = pool.resource().getDescription();
    var name = description == null ? null : dexNames.get(description.getDex());
    if (name != null) {
      description.setDexName(name.text());
    }
    if (name != null && description.getDexName() == null) {
      pool.nulls().add("description.dex_name");
      if (!name.equals(JsonText.NULL)) {
        pool.extra().fill(JsonObject.at(name, "relationships", "dex", "attributes", "name"));
      }
    }
    return pool.toObservation();
  }

  static JsonObject writePool(Observation<Pool> pool, QueryScope scope, FieldNaming naming) {
    var object = POOL.writeAttributes(pool, naming);
    var price = tokenPrice(pool, scope);
    if (price != null) {
      object.object("attributes").put(TOKEN_PRICE, price);
    }
    return object.fill(ResourceObjects.nest(POOL.extra(pool)));
  }

  /** Sets the price on the side of the query's token. It stays undocumented where the token is on neither side. */
  private static void moveTokenPrice(DecodedResource<Pool> pool, QueryScope scope) {
    var side = side(pool.resource(), scope);
    var sent = pool.extra().at(TOKEN_PRICE);
    if (side == null || sent == null) {
      return;
    }
    var price = sent.text();
    if (price == null) {
      pool.nulls().add(side.path);
    } else {
      pool.resource().setTokenPrice(side.of(price));
    }
    if (price != null || sent.equals(JsonText.NULL)) {
      pool.extra().remove(TOKEN_PRICE);
    }
  }

  /** Null where the attribute is absent. */
  private static @Nullable JsonValue tokenPrice(Observation<Pool> pool, QueryScope scope) {
    var side = side(pool.resource(), scope);
    var price = side == null ? null : side.price(pool.resource().getTokenPrice());
    if (price != null) {
      return JsonValue.string(price);
    }
    return side != null && pool.nulls().contains(side.path) ? JsonText.NULL : null;
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
