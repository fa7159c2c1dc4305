package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.event.Pool;
import io.tidemark.market.OnChain;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.TokenAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The envelope of on-chain answers: data, and what is included. */
record OnChainCodec<Q, A>(Function<Q, Asked> asked, Function<Q, Asked> askedOfIncluded, Data<A> data)
    implements AnswerCodec<Q, OnChain<A>> {

  /** One pool. */
  static OnChainCodec<Query.PoolByAddress, Seen<Pool>> pool() {
    Function<Query.PoolByAddress, Asked> asked = query -> new Asked(query.network(), null);
    return new OnChainCodec<>(asked, asked, new OnePool());
  }

  /** A list of pools; of an included pool nothing is known that was asked. */
  static <Q> OnChainCodec<Q, List<Seen<Pool>>> pools(Function<Q, Asked> asked) {
    return new OnChainCodec<>(asked, query -> asked.apply(query).withoutToken(), new PoolList());
  }

  /** A token; the pools included with it show its price. */
  static OnChainCodec<Query.TokenByAddress, TokenAnswer> token() {
    Function<Query.TokenByAddress, Asked> asked = query -> new Asked(query.network(), query.address());
    return new OnChainCodec<>(asked, asked, new OneToken());
  }

  @Override
  public OnChain<A> read(Q query, JsonParser in) throws IOException {
    var envelope = new Envelope<A>(new IncludedCodec(askedOfIncluded.apply(query)));
    Json.members(in, name -> {
      switch (name) {
        case "data" -> envelope.data = data.read(in, asked.apply(query));
        case "included" -> envelope.readIncluded(in);
        default -> in.skipChildren();
      }
    });
    return envelope.answer();
  }

  @Override
  public JsonValue write(Q query, OnChain<A> answer, NameStyle names) {
    var envelope = JsonObject.ordered().put("data", data.write(answer.data(), asked.apply(query), names));
    if (answer.included() != null) {
      envelope.put("included", IncludedCodec.write(answer.included(), askedOfIncluded.apply(query), names));
    }
    return envelope;
  }

  /** An envelope as far as it is read: data cannot be understood whole before the end. */
  private static final class Envelope<A> {
    private final IncludedCodec included;
    private boolean hasIncluded;
    private @Nullable Pending<A> data;

    Envelope(IncludedCodec included) {
      this.included = included;
    }

    void readIncluded(JsonParser in) throws IOException {
      if (!in.hasToken(JsonToken.VALUE_NULL)) {
        hasIncluded = true;
        included.read(in);
      }
    }

    OnChain<A> answer() throws Malformed {
      if (data == null) {
        throw new Malformed("no member data");
      }
      return new OnChain<>(data.with(included.dexNames()), hasIncluded ? included.included() : null);
    }
  }

  /** Data that waits for the names of exchanges. */
  private interface Pending<A> {
    A with(Map<String, JsonValue> dexNames);
  }

  /** The member data. */
  private interface Data<A> {
    Pending<A> read(JsonParser in, Asked asked) throws IOException;

    JsonValue write(A data, Asked asked, NameStyle names);
  }

  /** An object, or (in the service's own examples) an array of just one. */
  private record OnePool() implements Data<Seen<Pool>> {
    @Override
    public Pending<Seen<Pool>> read(JsonParser in, Asked asked) throws IOException {
      var pool = in.hasToken(JsonToken.START_ARRAY) ? only(in, asked) : OnChainPools.read(in, asked);
      return dexNames -> OnChainPools.seen(pool, dexNames);
    }

    private static Found<Pool> only(JsonParser in, Asked asked) throws IOException {
      var pools = new ArrayList<Found<Pool>>();
      Json.elements(in, () -> pools.add(OnChainPools.read(in, asked)));
      if (pools.size() != 1) {
        throw new Malformed("one pool is due, not " + pools.size());
      }
      return pools.getFirst();
    }

    @Override
    public JsonValue write(Seen<Pool> pool, Asked asked, NameStyle names) {
      return OnChainPools.write(pool, asked, names);
    }
  }

  private record PoolList() implements Data<List<Seen<Pool>>> {
    @Override
    public Pending<List<Seen<Pool>>> read(JsonParser in, Asked asked) throws IOException {
      var pools = new ArrayList<Found<Pool>>();
      Json.elements(in, () -> pools.add(OnChainPools.read(in, asked)));
      return dexNames -> pools.stream().map(pool -> OnChainPools.seen(pool, dexNames)).toList();
    }

    @Override
    public JsonValue write(List<Seen<Pool>> pools, Asked asked, NameStyle names) {
      return JsonValue.list(pools.stream().map(pool -> OnChainPools.write(pool, asked, names)).toList());
    }
  }

  private record OneToken() implements Data<TokenAnswer> {
    @Override
    public Pending<TokenAnswer> read(JsonParser in, Asked asked) throws IOException {
      var token = OnChainTokens.readAnswer(in, asked);
      return dexNames -> token;
    }

    @Override
    public JsonValue write(TokenAnswer token, Asked asked, NameStyle names) {
      return OnChainTokens.writeAnswer(token, names);
    }
  }
}
