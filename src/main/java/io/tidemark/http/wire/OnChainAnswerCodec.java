package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.event.Pool;
import io.tidemark.market.Observation;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.Query;
import io.tidemark.market.TokenAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** On-chain answers: {@code data}, and the related resources {@code included}. */
record OnChainAnswerCodec<Q, A>(Function<Q, QueryScope> scope, Function<Q, QueryScope> scopeOfIncluded,
    DataCodec<A> data)
    implements AnswerCodec<Q, OnChainAnswer<A>> {

  /** One pool. */
  static OnChainAnswerCodec<Query.PoolByAddress, Observation<Pool>> pool() {
    Function<Query.PoolByAddress, QueryScope> scope = query -> new QueryScope(query.network(), null);
    return new OnChainAnswerCodec<>(scope, scope, new OnePool());
  }

  /** A list of pools. The query's token says nothing of included pools. */
  static <Q> OnChainAnswerCodec<Q, List<Observation<Pool>>> pools(Function<Q, QueryScope> scope) {
    return new OnChainAnswerCodec<>(scope, query -> scope.apply(query).withoutToken(), new PoolList());
  }

  /** A token. Included pools have its price. */
  static OnChainAnswerCodec<Query.TokenByAddress, TokenAnswer> token() {
    Function<Query.TokenByAddress, QueryScope> scope = query -> new QueryScope(query.network(), query.address());
    return new OnChainAnswerCodec<>(scope, scope, new OneToken());
  }

  @Override
  public OnChainAnswer<A> read(Q query, JsonParser in) throws IOException {
    var answer = new PartialAnswer<A>(new IncludedObjectsCodec(scopeOfIncluded.apply(query)));
    StrictJson.members(in, name -> {
      switch (name) {
        case "data" -> answer.data = data.read(in, scope.apply(query));
        case "included" -> answer.readIncluded(in);
        default -> in.skipChildren();
      }
    });
    return answer.toAnswer();
  }

  @Override
  public JsonValue write(Q query, OnChainAnswer<A> answer, FieldNaming naming) {
    var body = JsonObject.ordered().put("data", data.write(answer.data(), scope.apply(query), naming));
    if (answer.included() != null) {
      body.put("included", IncludedObjectsCodec.write(answer.included(), scopeOfIncluded.apply(query), naming));
    }
    return body;
  }

  /** An answer that is partly read. Data is complete only after {@code included}, which may come last. */
  private static final class PartialAnswer<A> {
    private final IncludedObjectsCodec included;
    private boolean hasIncluded;
    private @Nullable PendingData<A> data;

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
      return new OnChainAnswer<>(data.complete(included.dexNames()), hasIncluded ? included.included() : null);
    }
  }

  /** Data without the names of exchanges. */
  private interface PendingData<A> {
    A complete(Map<String, JsonValue> dexNames);
  }

  /** Reads and writes the member {@code data}. */
  private interface DataCodec<A> {
    PendingData<A> read(JsonParser in, QueryScope scope) throws IOException;

    JsonValue write(A data, QueryScope scope, FieldNaming naming);
  }

  /** An object, or (in the service's own examples) an array of one object. */
  private record OnePool() implements DataCodec<Observation<Pool>> {
    @Override
    public PendingData<Observation<Pool>> read(JsonParser in, QueryScope scope) throws IOException {
      var pool = in.hasToken(JsonToken.START_ARRAY) ? only(in, scope) : PoolObjectCodec.read(in, scope);
      return dexNames -> PoolObjectCodec.toObservation(pool, dexNames);
    }

    private static DecodedResource<Pool> only(JsonParser in, QueryScope scope) throws IOException {
      var pools = new ArrayList<DecodedResource<Pool>>();
      StrictJson.elements(in, () -> pools.add(PoolObjectCodec.read(in, scope)));
      if (pools.size() != 1) {
        throw new MalformedAnswerException("expected one pool, found " + pools.size());
      }
      return pools.getFirst();
    }

    @Override
    public JsonValue write(Observation<Pool> pool, QueryScope scope, FieldNaming naming) {
      return PoolObjectCodec.write(pool, scope, naming);
    }
  }

  private record PoolList() implements DataCodec<List<Observation<Pool>>> {
    @Override
    public PendingData<List<Observation<Pool>>> read(JsonParser in, QueryScope scope) throws IOException {
      var pools = new ArrayList<DecodedResource<Pool>>();
      StrictJson.elements(in, () -> pools.add(PoolObjectCodec.read(in, scope)));
      return dexNames -> pools.stream().map(pool -> PoolObjectCodec.toObservation(pool, dexNames)).toList();
    }

    @Override
    public JsonValue write(List<Observation<Pool>> pools, QueryScope scope, FieldNaming naming) {
      return JsonValue.list(pools.stream().map(pool -> PoolObjectCodec.write(pool, scope, naming)).toList());
    }
  }

  private record OneToken() implements DataCodec<TokenAnswer> {
    @Override
    public PendingData<TokenAnswer> read(JsonParser in, QueryScope scope) throws IOException {
      var token = TokenObjectCodec.readAnswer(in, scope);
      return dexNames -> token;
    }

    @Override
    public JsonValue write(TokenAnswer token, QueryScope scope, FieldNaming naming) {
      return TokenObjectCodec.writeAnswer(token, naming);
    }
  }
}
