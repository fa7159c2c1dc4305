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

  private static List<String> coins(int count) {
    return IntStream.range(0, count).mapToObj(i -> "coin" + i).toList();
  }

  private static ObjectNode data(String action, List<String> items) {
    var data = JsonNodeFactory.instance.objectNode().put("action", action);
    items.forEach(data.putArray("coin_id")::add);
    return data;
  }
}
