package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.ResourceKey;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.serve.feed.FeedRefusal;
import io.tidemark.serve.feed.FeedRequest;
import io.tidemark.serve.feed.FeedRequest.TopicRequest;
import io.tidemark.serve.feed.StartPosition;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to a channel of the service's own WebSocket, made of topics. It begins without items: coins, tokens or
 * pools. Messages of the client add and remove items. The feed behind it has the keys of the items as its filter. A
 * value that no topic has is null in its messages. Thread-safe.
 */
final class ServicePriceChannel {

  /** A placeholder that matches no record. It keeps the filter from being empty, since an empty one accepts all keys. */
  private static final String NO_KEY = "";

  private static final int MOST_ITEMS = 100;
  private static final int LONGEST_ITEM = 256;
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Shape shape;

  /** The items by key of their records; of each key, the items by interval, which is empty for prices. */
  private final Map<String, Map<String, Item>> items = new ConcurrentHashMap<>(Map.of(NO_KEY, Map.of()));

  /**
   * An item of the subscription.
   *
   * @param name its name in the message of the client
   * @param closed start of its newest closed candle
   */
  private record Item(String name, AtomicLong closed) {

    /** Returns whether the client gets a candle. An open one may be read after the closed one of the same window. */
    boolean takes(JsonNode candle, boolean isClosed) {
      var start = candle.path("start").asLong();
      if (isClosed) {
        closed.accumulateAndGet(start, Math::max);
      }
      return isClosed || start > closed.get();
    }
  }

  /** A channel of the service that topics can fill. */
  private enum Shape {
    PRICES_OF_COINS("CGSimplePrice", "coin_id", "tokens", "venues"),
    PRICES_OF_TOKENS("OnchainSimpleTokenPrice", "network_id:token_addresses", "tokens", "token.state"),
    CANDLES("OnchainOHLCV", "network_id:pool_addresses", "pools", Stream.concat(Stream.of("open"),
        Arrays.stream(CandleInterval.values()).map(CandleInterval::label)).map("pool.candles."::concat)
        .toArray(String[]::new));

    private final String wire;
    private final String member;
    private final String noun;
    private final List<String> topics;

    Shape(String wire, String member, String noun, String... topics) {
      this.wire = wire;
      this.member = member;
      this.noun = noun;
      this.topics = List.of(topics);
    }
  }

  private ServicePriceChannel(Shape shape) {
    this.shape = shape;
  }

  /**
   * Returns the channel with the given name, or null if the service has none or it is the name of a topic.
   *
   * @throws FeedRefusal if no topic has what the service's channel has
   */
  static @Nullable ServicePriceChannel of(String name) {
    if (name.equals("OnchainTrade")) {
      throw FeedRefusal.notFound("OnchainTrade: no topic has single trades; pool.changes has the last trade's time, and"
          + " the trades and volume of rolling windows");
    }
    return Arrays.stream(Shape.values()).filter(shape -> shape.wire.equals(name)).findFirst()
        .map(ServicePriceChannel::new)
        .orElse(null);
  }

  FeedRequest request() {
    return new FeedRequest(shape.topics.stream().map(topic -> new TopicRequest(topic, items.keySet(), null, Set.of(),
        null, new StartPosition.End())).toList(), null, false);
  }

  /** Adds or removes the items that a message names. Returns what the answers say, one for each item. */
  List<String> change(ObjectNode data) {
    var action = data.path("action").asText();
    var isSet = action.equals("set_" + shape.noun);
    if (!isSet && !action.equals("unset_" + shape.noun)) {
      throw FeedRefusal.badRequest("action: must be set_%1$s or unset_%1$s".formatted(shape.noun));
    }
    var named = StreamCommand.texts(data, shape.member);
    var keys = named.stream().map(this::key).toList();
    if (named.isEmpty() || named.size() > MOST_ITEMS || (isSet
        && Stream.concat(items.keySet().stream(), keys.stream()).distinct().count() > MOST_ITEMS + 1)) {
      throw FeedRefusal.badRequest(shape.member + ": a subscription has 1 to " + MOST_ITEMS + " " + shape.noun);
    }
    var interval = shape == Shape.CANDLES ? interval(data) : "";
    if (shape == Shape.PRICES_OF_COINS) {
      only("vs_currencies", "usd", data);
    }
    for (var i = 0; i < keys.size(); i++) {
      var name = named.get(i);
      items.compute(keys.get(i),
          (key, before) -> with(before == null ? Map.of() : before, interval, isSet ? name : null));
    }
    var suffix = shape == Shape.CANDLES ? ":" + interval + ":base" : "";
    return named.stream().map(name -> (isSet && shape == Shape.PRICES_OF_COINS ? "Subscribed to " + name + " in usd"
        : (isSet ? "Subscription successful for " : "Unsubscription is successful for ") + name + suffix)).toList();
  }

  private static @Nullable Map<String, Item> with(Map<String, Item> before, String interval, @Nullable String name) {
    var after = new HashMap<>(before);
    if (name == null) {
      after.remove(interval);
    } else {
      var item = before.get(interval);
      after.put(interval, new Item(name, item == null ? new AtomicLong(Long.MIN_VALUE) : item.closed()));
    }
    return after.isEmpty() ? null : Map.copyOf(after);
  }

  private static String interval(ObjectNode data) {
    only("token", "base", data);
    var interval = data.path("interval").asText();
    var labels = Arrays.stream(CandleInterval.values()).map(CandleInterval::label).toList();
    if (!labels.contains(interval)) {
      throw FeedRefusal.badRequest("interval: must be one of " + String.join(", ", labels));
    }
    return interval;
  }

  private static void only(String member, String value, ObjectNode data) {
    if (!StreamCommand.texts(data, member).stream().allMatch(value::equals)) {
      throw FeedRefusal.badRequest(member + ": only " + value + " is known");
    }
  }

  /** Returns the key of an item in the topics. */
  private String key(String item) {
    var parts = item.split(":", 2);
    if (item.isEmpty() || item.length() > LONGEST_ITEM || (parts.length == 2) == (shape == Shape.PRICES_OF_COINS)) {
      throw FeedRefusal.badRequest(shape.member + ": must be a list of "
          + (shape == Shape.PRICES_OF_COINS ? "ids of coins" : "<network>:<address>") + ", each of up to "
          + LONGEST_ITEM + " characters");
    }
    return parts.length < 2 ? item
        : parts[0] + "_" + ResourceKey.canonical(parts[1]);
  }

  /** Returns what to answer after all items were removed with the subscription. */
  String removed() {
    return "Unsubscription is successful for all " + shape.noun;
  }

  Stream<ObjectNode> messages(JsonNode record) {
    var value = record.path("value");
    var known = value.path("known");
    var wanted = items.getOrDefault(record.path("key").asText(), Map.of());
    if (wanted.isEmpty()) { // removed since the record was read
      return Stream.empty();
    }
    return switch (shape) {
      case PRICES_OF_COINS -> price(JSON.objectNode().put("c", "C1").put("i", value.path("coin").asText())
          .put("vs", "usd"), value.path("median_usd"), JSON.nullNode(), value.path("volume_usd"), value.path("at"));
      case PRICES_OF_TOKENS -> price(JSON.objectNode().put("c", "G1").put("n", known.path("network").asText())
          .put("ta", known.path("address").asText()), known.at("/price/price_usd"),
          known.at("/valuation/market_cap_usd"), known.at("/activity/volume_usd/h24"), value.path("observed_at"));
      case CANDLES -> Stream.concat(Stream.of(value), value.path("candles").valueStream())
          .flatMap(candle -> Stream.ofNullable(wanted.get(candle.path("interval").asText()))
              .filter(item -> item.takes(candle, !value.has("candles")))
              .map(item -> candle(candle, item.name())));
    };
  }

  private static Stream<ObjectNode> price(
      ObjectNode message, JsonNode price, JsonNode marketCap, JsonNode volume, JsonNode at) {
    message.<ObjectNode>set("p", number(price)).putNull("pp").<ObjectNode>set("m", number(marketCap))
        .<ObjectNode>set("v", number(volume)).put("t", at.asLong() / 1_000);
    return message.path("p").isNull() ? Stream.empty() : Stream.of(message);
  }

  private static ObjectNode candle(JsonNode candle, String pool) {
    var colon = pool.indexOf(':');
    var message = JSON.objectNode().put("ch", "G3").put("n", pool.substring(0, colon))
        .put("pa", pool.substring(colon + 1)).put("to", "base")
        .put("i", candle.path("interval").asText());
    List.of("open", "high", "low", "close").forEach(each -> message.set(each.substring(0, 1), candle.path(each)));
    return message.<ObjectNode>set("v", candle.path("volume_usd_estimate"))
        .put("t", candle.path("start").asLong() / 1_000);
  }

  /** Returns a number, or a decimal that was sent as text, as a number; null if it is unknown or not a number. */
  private static JsonNode number(JsonNode value) {
    if (!value.isTextual()) {
      return value.isNumber() ? value : JSON.nullNode();
    }
    try {
      return JSON.numberNode(new BigDecimal(value.textValue()));
    } catch (NumberFormatException e) { // such as NaN, which the service sends
      return JSON.nullNode();
    }
  }
}
