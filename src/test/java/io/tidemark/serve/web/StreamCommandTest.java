package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.serve.feed.FeedRefusal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamCommandTest {

  @Test
  void identifier_hasTheParametersOfAFeed() {
    var command = StreamCommand.parse(command("subscribe",
        "{\"channel\":\"alerts\",\"key\":[\"a\",\"b\"],\"from\":\"1h\",\"source\":\"main\"}", null));

    assertThat(command.verb()).isEqualTo(StreamCommand.Verb.SUBSCRIBE);
    assertThat(command.channel()).isEqualTo("alerts");
    assertThat(command.source()).isEqualTo("main");
    assertThat(command.feedParameters()).isEqualTo(
        Map.of("key", List.of("a", "b"), "from", List.of("1h"), "source", List.of("main")));
  }

  @Test
  void message_hasData() {
    var command =
        StreamCommand.parse(command("message", "{\"channel\":\"OnchainOHLCV\"}", "{\"action\":\"set_pools\"}"));

    assertThat(command.data().toString()).isEqualTo("{\"action\":\"set_pools\"}");
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', textBlock = """
      `subscribe`, `x`, identifier: must be a JSON object
      `subscribe`, `{"channel":"a"} {}`, identifier: must be a JSON object
      `subscribe`, `{"channel":""}`, identifier: must have the member channel
      `subscribe`, `{"channel":{"a":1}}`, identifier: must have the member channel
      `Subscribe`, `{"channel":"a"}`, `command: must be subscribe, unsubscribe or message`
      `message`, `{"channel":"a"}`, data: must be a JSON object
      """)
  void wrongCommand_isRefused(String kind, String identifier, String message) {
    assertThatThrownBy(() -> StreamCommand.parse(command(kind, identifier, null)))
        .isInstanceOf(FeedRefusal.class).hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', textBlock = """
      `{"channel":"a","key":[]}`, key: must be a text or a list of texts
      `{"channel":"a","key":1}`, key: must be a text or a list of texts
      `{"channel":"a","key":{"b":"c"}}`, key: must be a text or a list of texts
      `{"channel":"a","key":[["b"]]}`, key: must be a text or a list of texts
      `{"channel":"a","topic":"b"}`, `topic, status: not in a stream`
      """)
  void wrongParameter_isRefused(String identifier, String message) {
    assertThatThrownBy(() -> StreamCommand.parse(command("subscribe", identifier, null)).feedParameters())
        .isInstanceOf(FeedRefusal.class).hasMessageStartingWith(message);
  }

  @Test
  void longIdentifier_isRefused_becauseEachMessageRepeatsIt() {
    var identifier = "{\"channel\":\"" + "x".repeat(4_097) + "\"}";

    assertThatThrownBy(() -> StreamCommand.parse(command("subscribe", identifier, null)))
        .hasMessage("identifier: must have at most 4096 characters");
  }

  private static String command(String kind, String identifier, String data) {
    return JsonNodeFactory.instance.objectNode().put("command", kind).put("identifier", identifier).put("data", data)
        .toString();
  }
}
