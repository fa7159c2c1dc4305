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

/** The envelope of on-chain answers: data, and what is included. */
record OnChainAnswerCodec<Q, A>(Function<Q, QueryScope> scope, Function<Q, QueryScope> scopeOfIncluded, Data<A> data)
    implements AnswerCodec<Q, OnChainAnswer<A>> {

  /** One pool. */
  static OnChainAnswerCodec<Query.PoolByAddress, Observation<Pool>> pool() {
    Function<Query.PoolByAddress, QueryScope> asked = query -> new QueryScope(query.network(), null);
    return new OnChainAnswerCodec<>(asked, asked, new OnePool());
  }

  /** A list of pools; of an included pool nothing is known that was asked. */
  static <Q> OnChainAnswerCodec<Q, List<Observation<Pool>>> pools(Function<Q, QueryScope> asked) {
    return new OnChainAnswerCodec<>(asked, query -> asked.apply(query).withoutToken(), new PoolList());
  }

  /** A token; the pools included with it show its price. */
  static OnChainAnswerCodec<Query.TokenByAddress, TokenAnswer> token() {
    Function<Query.TokenByAddress, QueryScope> asked = query -> new QueryScope(query.network(), query.address());
    return new OnChainAnswerCodec<>(asked, asked, new OneToken());
  }

  @Override
  public OnChainAnswer<A> read(Q query, JsonParser in) throws IOException {
    var envelope = new Envelope<A>(new IncludedObjectsCodec(scopeOfIncluded.apply(query)));
    StrictJson.members(in, name -> {
      switch (name) {
        case "data" -> envelope.data = data.read(in, scope.apply(query));
        case "included" -> envelope.readIncluded(in);
        default -> in.skipChildren();
      }
    });
    return envelope.answer();
  }

  @Override
  public JsonValue write(Q query, OnChainAnswer<A> answer, FieldNaming names) {
    var envelope = JsonObject.ordered().put("data", data.write(answer.data(), scope.apply(query), names));
    if (answer.included() != null) {
      envelope.put("included", IncludedObjectsCodec.write(answer.included(), scopeOfIncluded.apply(query), names));
    }
    return envelope;
  }

  /** An envelope as far as it is read: data cannot be understood whole before the end. */
  private static final class Envelope<A> {
    private final IncludedObjectsCodec included;
    private boolean hasIncluded;
    private @Nullable Pending<A> data;

    Envelope(IncludedObjectsCodec included) {
      this.included = included;
    }

    void readIncluded(JsonParser in) throws IOException {
      if (!in.hasToken(JsonToken.VALUE_NULL)) {
        hasIncluded = true;
        included.read(in);
      }
    }

    OnChainAnswer<A> answer() throws MalformedAnswerException {
      if (data == null) {
        throw new MalformedAnswerException("no member data");
      }
      return new OnChainAnswer<>(data.with(included.dexNames()), hasIncluded ? included.included() : null);
    }
  }

  /** Data that waits for the names of exchanges. */
  private interface Pending<A> {
    A with(Map<String, JsonValue> dexNames);
  }

  /** The member data. */
  private interface Data<A> {
    Pending<A> read(JsonParser in, QueryScope asked) throws IOException;

    JsonValue write(A data, QueryScope asked, FieldNaming names);
  }

  /** An object, or (in the service's own examples) an array of just one. */
  private record OnePool() implements Data<Observation<Pool>> {
    @Override
    public Pending<Observation<Pool>> read(JsonParser in, QueryScope asked) throws IOException {
      var pool = in.hasToken(JsonToken.START_ARRAY) ? only(in, asked) : PoolObjectCodec.read(in, asked);
      return dexNames -> PoolObjectCodec.seen(pool, dexNames);
    }

    private static DecodedResource<Pool> only(JsonParser in, QueryScope asked) throws IOException {
      var pools = new ArrayList<DecodedResource<Pool>>();
      StrictJson.elements(in, () -> pools.add(PoolObjectCodec.read(in, asked)));
      if (pools.size() != 1) {
        throw new MalformedAnswerException("one pool is due, not " + pools.size());
      }
      return pools.getFirst();
    }

    @Override
    public JsonValue write(Observation<Pool> pool, QueryScope asked, FieldNaming names) {
      return PoolObjectCodec.write(pool, asked, names);
    }
  }

  private record PoolList() implements Data<List<Observation<Pool>>> {
    @Override
    public Pending<List<Observation<Pool>>> read(JsonParser in, QueryScope asked) throws IOException {
      var pools = new ArrayList<DecodedResource<Pool>>();
      StrictJson.elements(in, () -> pools.add(PoolObjectCodec.read(in, asked)));
      return dexNames -> pools.stream().map(pool -> PoolObjectCodec.seen(pool, dexNames)).toList();
    }

    @Override
    public JsonValue write(List<Observation<Pool>> pools, QueryScope asked, FieldNaming names) {
      return JsonValue.list(pools.stream().map(pool -> PoolObjectCodec.write(pool, asked, names)).toList());
    }
  }

  private record OneToken() implements Data<TokenAnswer> {
    @Override
    public Pending<TokenAnswer> read(JsonParser in, QueryScope asked) throws IOException {
      var token = TokenObjectCodec.readAnswer(in, asked);
      return dexNames -> token;
    }

    @Override
    public JsonValue write(TokenAnswer token, QueryScope asked, FieldNaming names) {
      return TokenObjectCodec.writeAnswer(token, names);
    }
  }
}
