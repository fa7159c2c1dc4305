package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.CoinDay;
import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.Global;
import io.tidemark.event.Holding;
import io.tidemark.event.Platform;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerDescription;
import io.tidemark.event.Treasury;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A codec of the answers to operations 8 to 13, in which attributes are direct members of the resource's JSON object.
 * Undocumented members of the answer outside its resources are put into the {@code extra} of each resource, under the
 * name {@code answer}.
 */
record PlainAnswerCodec<Q, A>(BiFunction<Q, JsonNode, A> reader, BiFunction<A, FieldNaming, JsonNode> writer)
    implements AnswerCodec<Q, A> {
  private static final ResourceCodec<Global> GLOBAL = ResourceCodec.of(Global.class);
  private static final ResourceCodec<CoinDay> COIN_DAY = ResourceCodec.of(CoinDay.class);
  private static final ResourceCodec<Ticker> TICKER = ResourceCodec.of(Ticker.class);
  private static final ResourceCodec<DerivativesExchange> EXCHANGE = ResourceCodec.of(DerivativesExchange.class);
  private static final ResourceCodec<Contract> CONTRACT = ResourceCodec.of(Contract.class);
  private static final ResourceCodec<Treasury> TREASURY = ResourceCodec.of(Treasury.class);
  private static final ResourceCodec<Holding> HOLDING = ResourceCodec.of(Holding.class);
  private static final ResourceCodec<Platform> PLATFORM = ResourceCodec.of(Platform.class);

  private static final String NAME = "name";
  private static final String TICKERS = "tickers";
  private static final String HOLDINGS = "holdings";
  private static final String COIN_NAME = "description.coin_name";
  private static final String ANSWER = "answer";

  @Override
  public A read(Q query, JsonNode body) {
    return reader.apply(query, body);
  }

  @Override
  public JsonNode write(Q query, A answer, FieldNaming naming) {
    return writer.apply(answer, naming);
  }

  /** Creates the codec for operation 8. The answer has one member, {@code data}. */
  static PlainAnswerCodec<Query.GlobalMarket, Observation<Global>> global() {
    return new PlainAnswerCodec<>(
        (query, body) -> attach(body, Json.take(body, Json.DATA, GLOBAL::read)).toObservation(),
        (global, naming) -> {
          var data = GLOBAL.write(global, naming);
          var answer = Json.object();
          answer.set(Json.DATA, data);
          return detach(data, answer);
        });
  }

  /** Creates the codec for operation 9: one day of a coin. */
  static PlainAnswerCodec<Query.CoinHistory, Observation<CoinDay>> coinHistory() {
    return new PlainAnswerCodec<>(
        (query, body) -> COIN_DAY.read(body).require("coin").set("date", query.date().toString()).toObservation(),
        COIN_DAY::write);
  }

  /** Creates the codec for operation 10: the name of a coin, and its tickers. */
  static PlainAnswerCodec<Query.CoinTickers, TickersAnswer> coinTickers() {
    return new PlainAnswerCodec<>(PlainAnswerCodec::readTickers, PlainAnswerCodec::writeTickers);
  }

  private static TickersAnswer readTickers(Query.CoinTickers query, JsonNode body) {
    var tickers = Json.take(body, TICKERS, array -> Json.elements(array,
        each -> TICKER.readRow(each).set("coin", query.id())));
    var name = body.get(NAME);
    var coin = Json.content(name);
    if (coin != null || (name != null && name.isNull())) {
      Json.object(body).remove(NAME);
    }
    tickers.forEach(ticker -> {
      setCoinName(ticker, coin, name != null);
      attach(body, ticker);
    });
    return new TickersAnswer(coin, tickers.stream().map(DecodedResource::toObservation).toList());
  }

  private static void setCoinName(DecodedResource<Ticker> ticker, @Nullable String coin, boolean isSent) {
    if (coin != null) {
      var description = ticker.resource().getDescription();
      ticker.resource().setDescription(description == null ? new TickerDescription() : description);
      ticker.resource().getDescription().setCoinName(coin);
    } else if (isSent) {
      ticker.nulls().add(COIN_NAME);
    }
  }

  private static JsonNode writeTickers(TickersAnswer answer, FieldNaming naming) {
    var object = Json.object();
    if (answer.name() != null || answer.tickers().stream().anyMatch(each -> each.nulls().contains(COIN_NAME))) {
      object.put(NAME, answer.name());
    }
    var tickers = object.putArray(TICKERS);
    answer.tickers().forEach(each -> {
      var ticker = TICKER.write(each, naming);
      detach(ticker, object);
      tickers.add(ticker);
    });
    return object;
  }

  /** Creates the codec for operation 11: an exchange, and its contracts as tickers. */
  static PlainAnswerCodec<Query.DerivativesExchangeById, DerivativesAnswer> derivativesExchange() {
    return new PlainAnswerCodec<>((query, body) -> {
      var contracts = Json.takeList(body, TICKERS, sent -> readContracts(sent, query.id()));
      return new DerivativesAnswer(EXCHANGE.read(body).set("id", query.id()).toObservation(), contracts);
    }, (answer, naming) -> writeWith(TICKERS, answer.tickers(), CONTRACT, EXCHANGE.write(answer.exchange(), naming),
        naming));
  }

  /**
   * Reads the contracts. The service sends an array, or an object that contains arrays. If there is no contract, the
   * object must not contain anything else either, because it is then no list of contracts.
   */
  private static List<Observation<Contract>> readContracts(JsonNode sent, String exchange) {
    var contracts = contracts(sent, exchange);
    if (contracts.isEmpty() && hasValue(sent)) {
      throw new MalformedAnswerException("expected an array of derivative contracts, found other values");
    }
    return contracts;
  }

  private static List<Observation<Contract>> contracts(JsonNode sent, String exchange) {
    return sent.isArray()
        ? Json.elements(sent, each -> CONTRACT.readRow(each).set("exchange", exchange).toObservation())
        : sent.valueStream().flatMap(each -> contracts(each, exchange).stream()).toList();
  }

  private static boolean hasValue(JsonNode sent) {
    return sent.isContainerNode() ? sent.valueStream().anyMatch(PlainAnswerCodec::hasValue) : !sent.isNull();
  }

  /**
   * Creates the codec for operation 12: an entity and its holdings. If the answer has no id, the entity gets the id in
   * the query.
   */
  static PlainAnswerCodec<Query.PublicTreasury, TreasuryAnswer> treasury() {
    return new PlainAnswerCodec<>((query, body) -> {
      var holdings = Json.takeList(body, HOLDINGS,
          array -> Json.elements(array, each -> HOLDING.readRow(each).toObservation()));
      var sent = TREASURY.read(body);
      var entity = (sent.identity("id") == null ? sent.set("id", query.entityId()) : sent).toObservation();
      if (holdings != null) {
        holdings.forEach(each -> each.resource().setEntity(entity.resource().getId()));
      }
      return new TreasuryAnswer(entity, holdings);
    }, (answer, naming) -> writeWith(HOLDINGS, answer.holdings(), HOLDING, TREASURY.write(answer.treasury(), naming),
        naming));
  }

  /**
   * Creates the codec for operation 13: platforms. A platform's key is its id, or {@code name:} and its name if the
   * id is blank or null, or empty if it has no name either.
   */
  static PlainAnswerCodec<Query.AssetPlatforms, List<Observation<Platform>>> assetPlatforms() {
    return new PlainAnswerCodec<>(
        (query, body) -> Json.elements(body, each -> withKey(PLATFORM.readRow(each)).toObservation()),
        (platforms, naming) -> array(platforms, PLATFORM, naming));
  }

  private static DecodedResource<Platform> withKey(DecodedResource<Platform> platform) {
    var id = platform.identity("id");
    var description = platform.resource().getDescription();
    var name = description == null || description.getName() == null ? "" : description.getName();
    return platform.set("key", id != null ? id : name.isBlank() ? "" : "name:" + name);
  }

  /** Adds a list to an object, unless the list is null. */
  private static <R extends SpecificRecord> JsonNode writeWith(String name, @Nullable List<Observation<R>> list,
      ResourceCodec<R> codec, ObjectNode object, FieldNaming naming) {
    return list == null ? object : object.set(name, array(list, codec, naming));
  }

  private static <R extends SpecificRecord> JsonNode array(
      List<Observation<R>> list, ResourceCodec<R> codec, FieldNaming naming) {
    var array = JsonNodeFactory.instance.arrayNode();
    list.forEach(each -> array.add(codec.write(each, naming)));
    return array;
  }

  /** Adds the remaining members of an answer to the undocumented members of a resource. */
  private static <R extends SpecificRecord> DecodedResource<R> attach(JsonNode left, DecodedResource<R> resource) {
    if (!left.isEmpty()) {
      Json.fill(resource.extra(), Json.object().set(ANSWER, left.deepCopy()));
    }
    return resource;
  }

  /** Moves the answer's undocumented members from a resource back to the answer. */
  private static ObjectNode detach(ObjectNode resource, ObjectNode answer) {
    if (resource.get(ANSWER) instanceof ObjectNode members) {
      resource.remove(ANSWER);
      answer.setAll(members);
    }
    return answer;
  }
}
