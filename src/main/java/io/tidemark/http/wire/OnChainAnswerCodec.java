package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.event.Pool;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A codec of on-chain answers, which have resource objects in {@code data} and related resource objects in {@code
 * included}.
 */
record OnChainAnswerCodec<Q, A>(Function<Q, ResourceObjects> objects, BiFunction<ResourceObjects, JsonNode, A> reader,
    DataWriter<A> writer)
    implements AnswerCodec<Q, OnChainAnswer<A>> {
  private static final String INCLUDED = "included";
  private static final Set<String> MEMBERS = Set.of(Json.DATA, INCLUDED);

  private interface DataWriter<A> {
    JsonNode write(ResourceObjects objects, A data, FieldNaming naming);
  }

  static OnChainAnswerCodec<Query.PoolByAddress, Observation<Pool>> pool() {
    return new OnChainAnswerCodec<>(query -> new ResourceObjects(query.network(), null, Map.of()),
        OnChainAnswerCodec::readOnePool, ResourceObjects::writePool);
  }

  /**
   * @param network returns the network in a query, or null if the query has no network
   * @param token returns the token address in a query, or null if the query has no token
   */
  static <Q> OnChainAnswerCodec<Q, List<Observation<Pool>>> pools(
      Function<Q, @Nullable String> network, Function<Q, @Nullable String> token) {
    return new OnChainAnswerCodec<>(query -> new ResourceObjects(network.apply(query), token.apply(query), Map.of()),
        (objects, data) -> Json.elements(data, objects::readPoolRow), OnChainAnswerCodec::writePools);
  }

  /** Creates the codec for a token. Included pools have the token's price. */
  static OnChainAnswerCodec<Query.TokenByAddress, TokenAnswer> token() {
    return new OnChainAnswerCodec<>(query -> new ResourceObjects(query.network(), query.address(), Map.of()),
        ResourceObjects::readTokenAnswer,
        (objects, token, naming) -> ResourceObjects.writeTokenAnswer(token, naming));
  }

  @Override
  public boolean reads(String member) {
    return MEMBERS.contains(member);
  }

  @Override
  public OnChainAnswer<A> read(Q query, JsonNode body) {
    var sent = Json.object(body).path(INCLUDED);
    var queried = objects.apply(query).withDexNames(sent);
    var data = Json.take(body, Json.DATA, each -> reader.apply(queried, each));
    return new OnChainAnswer<>(data, sent.isMissingNode() || sent.isNull() ? null
        : Json.take(body, INCLUDED, queried::readIncluded));
  }

  @Override
  public JsonNode write(Q query, OnChainAnswer<A> answer, FieldNaming naming) {
    var queried = objects.apply(query);
    var body = Json.object();
    body.set(Json.DATA, writer.write(queried, answer.data(), naming));
    if (answer.included() != null) {
      body.set(INCLUDED, queried.writeIncluded(answer.included(), naming));
    }
    return body;
  }

  /** Reads one pool from an object or, as in the service's examples, from an array of one object. */
  private static Observation<Pool> readOnePool(ResourceObjects objects, JsonNode data) {
    var pools = data.isArray() ? Json.elements(data, objects::readPool) : List.of(objects.readPool(data));
    if (pools.size() != 1) {
      throw new MalformedAnswerException("expected one pool, found " + pools.size());
    }
    return pools.getFirst();
  }

  private static JsonNode writePools(ResourceObjects objects, List<Observation<Pool>> pools, FieldNaming naming) {
    var data = JsonNodeFactory.instance.arrayNode();
    pools.forEach(pool -> data.add(objects.writePool(pool, naming)));
    return data;
  }
}
