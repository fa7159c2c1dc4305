package io.tidemark.serve.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.serve.feed.FeedRefusal;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ServicePriceChannelTest {

  private final ServicePriceChannel channel = requireNonNull(ServicePriceChannel.of("CGSimplePrice"));

  @Test
  void sameItems_canBeSetAgain_butNoFurtherOnes() {
    assertThat(channel.change(data("set_tokens", coins(100)))).hasSize(100);
    assertThat(channel.change(data("set_tokens", coins(100)))).hasSize(100);
    assertThatThrownBy(() -> channel.change(data("set_tokens", List.of("other")))).isInstanceOf(FeedRefusal.class);
    channel.change(data("unset_tokens", List.of("coin0")));
    assertThat(channel.change(data("set_tokens", List.of("other")))).hasSize(1);
  }

  /** Each item has an answer of its own, which repeats the item and the identifier. */
  @Test
  void messageWithTooManyOrTooLongItems_isRefused() {
    for (var items : List.of(coins(101), List.of("x".repeat(257)), List.of(""))) {
      for (var action : List.of("set_tokens", "unset_tokens")) {
        assertThatThrownBy(() -> channel.change(data(action, items))).isInstanceOf(FeedRefusal.class);
      }
    }
  }

  /** Only addresses of 20 bytes in hexadecimal digits have one case in the topics. */
  @Test
  void tokens_haveTheKeysOfTheTopics() {
    var tokens = requireNonNull(ServicePriceChannel.of("OnchainSimpleTokenPrice"));

    tokens.change(setTokens("sui-network:0x2::sui::SUI", "eth:0x" + "AB".repeat(20)));

    assertThat(tokens.request().topics().getFirst().keys())
        .contains("sui-network_0x2::sui::SUI", "eth_0x" + "ab".repeat(20));
  }

  /** The service sends decimals of any length, and NaN. */
  @Test
  void figureThatIsNotANumber_isNull() {
    var tokens = requireNonNull(ServicePriceChannel.of("OnchainSimpleTokenPrice"));
    tokens.change(setTokens("solana:So1"));
    var record = JsonNodeFactory.instance.objectNode().put("key", "solana_So1");
    var known = record.putObject("value").put("observed_at", 5_000).putObject("known").put("network", "solana");
    known.put("address", "So1").putObject("price").put("price_usd", "1.50");
    known.putObject("valuation").put("market_cap_usd", "NaN");
    known.putObject("activity").putObject("volume_usd").put("h24", "");

    assertThat(tokens.messages(record).map(ObjectNode::toString))
        .containsExactly(
            "{\"c\":\"G1\",\"n\":\"solana\",\"ta\":\"So1\",\"p\":1.50,\"pp\":null,\"m\":null,\"v\":null,\"t\":5}");

    ((ObjectNode) known.get("price")).put("price_usd", "NaN");
    assertThat(tokens.messages(record)).isEmpty();
  }

  /** The topics of open and closed candles are read in any order after a backlog. */
  @Test
  void openCandle_doesNotFollowTheClosedOneOfItsWindow() {
    var candles = requireNonNull(ServicePriceChannel.of("OnchainOHLCV"));
    candles.change(pool("set_pools", "1m"));
    candles.change(pool("set_pools", "5m"));

    assertThat(closes(candles, open(candle("1m", 0, 1)))).containsExactly(1);
    assertThat(closes(candles, candle("1m", 60_000, 2))).containsExactly(2);
    candles.change(pool("set_pools", "1m"));
    assertThat(closes(candles, open(candle("1m", 60_000, 3), candle("5m", 0, 4)))).containsExactly(4);
    assertThat(closes(candles, candle("1m", 0, 5))).containsExactly(5);
    assertThat(closes(candles, open(candle("1m", 60_000, 6), candle("5m", 0, 7)))).containsExactly(7);
    assertThat(closes(candles, open(candle("1m", 120_000, 8), candle("5m", 0, 9)))).containsExactly(8, 9);

    candles.change(pool("unset_pools", "1m"));
    assertThat(closes(candles, candle("1m", 120_000, 10))).isEmpty();
  }

  private static ObjectNode pool(String action, String interval) {
    var data = JsonNodeFactory.instance.objectNode().put("action", action).put("interval", interval)
        .put("token", "base");
    data.putArray("network_id:pool_addresses").add("eth:0x1");
    return data;
  }

  private static ObjectNode candle(String interval, long start, int close) {
    return JsonNodeFactory.instance.objectNode().put("interval", interval).put("start", start).put("close", close);
  }

  private static ObjectNode open(ObjectNode... candles) {
    var value = JsonNodeFactory.instance.objectNode();
    value.putArray("candles").addAll(List.of(candles));
    return value;
  }

  private static List<Integer> closes(ServicePriceChannel channel, ObjectNode value) {
    var record = JsonNodeFactory.instance.objectNode().put("key", "eth_0x1");
    record.set("value", value);
    return channel.messages(record).map(message -> message.path("c").asInt()).toList();
  }

  private static ObjectNode setTokens(String... tokens) {
    var data = JsonNodeFactory.instance.objectNode().put("action", "set_tokens");
    List.of(tokens).forEach(data.putArray("network_id:token_addresses")::add);
    return data;
  }

  private static List<String> coins(int count) {
    return IntStream.range(0, count).mapToObj(i -> "coin" + i).toList();
  }

  private static ObjectNode data(String action, List<String> items) {
    var data = JsonNodeFactory.instance.objectNode().put("action", action);
    items.forEach(data.putArray("coin_id")::add);
    return data;
  }
}
