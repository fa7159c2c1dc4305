package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A client of a stream, over the WebSocket of the JDK. Its messages but pings, in their order. */
public final class StreamClient implements WebSocket.Listener, AutoCloseable {

  static final Duration TIMEOUT = Duration.ofSeconds(50);
  static final ObjectMapper JSON = new ObjectMapper();

  final List<JsonNode> messages = new CopyOnWriteArrayList<>();
  final List<JsonNode> pings = new CopyOnWriteArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final HttpClient http = HttpClient.newHttpClient();
  final WebSocket socket;
  public volatile int closedWith;

  /** @param headers names and values, one after the other */
  public StreamClient(int port, String path, String... headers) {
    var builder = http.newWebSocketBuilder();
    for (var i = 0; i < headers.length; i += 2) {
      builder.header(headers[i], headers[i + 1]);
    }
    socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + port + path), this).join();
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    text.append(data);
    if (last) {
      var message = json(text.toString());
      (message.path("type").asText().equals("ping") ? pings : messages).add(message);
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    closedWith = code;
    return null;
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  /** An identifier of a channel with parameters, which are names and values, one after the other. */
  public static String identifier(String channel, String... parameters) {
    var identifier = JsonNodeFactory.instance.objectNode().put("channel", channel);
    for (var i = 0; i < parameters.length; i += 2) {
      identifier.put(parameters[i], parameters[i + 1]);
    }
    return identifier.toString();
  }

  public void send(String text) {
    socket.sendText(text, true).join();
  }

  public void send(String command, String identifier) {
    send(command(command, identifier).toString());
  }

  public void send(String command, String identifier, ObjectNode data) {
    send(command(command, identifier).put("data", data.toString()).toString());
  }

  private static ObjectNode command(String command, String identifier) {
    return JsonNodeFactory.instance.objectNode().put("command", command).put("identifier", identifier);
  }

  /** Subscribes, and waits for the confirmation. Returns the identifier. */
  public String subscribe(String channel, String... parameters) {
    var identifier = identifier(channel, parameters);
    send("subscribe", identifier);
    await(message -> message.path("type").asText().equals("confirm_subscription")
        && message.path("identifier").asText().equals(identifier));
    return identifier;
  }

  /** Removes the messages that have come, and returns them. */
  public List<JsonNode> drain() {
    return Stream.generate(messages::removeFirst).limit(messages.size()).toList();
  }

  /** Waits for a message, and returns the first one. */
  public JsonNode await(Predicate<JsonNode> which) {
    Awaitility.await().atMost(TIMEOUT).untilAsserted(() -> assertThat(messages).anyMatch(which));
    return messages.stream().filter(which).findFirst().orElseThrow();
  }

  public Stream<JsonNode> messages() {
    return messages.stream();
  }

  /** What the messages of a subscription say. */
  List<JsonNode> of(String identifier) {
    return messages.stream().filter(each -> each.path("identifier").asText().equals(identifier) && !each.has("type"))
        .map(each -> each.path("message")).toList();
  }

  List<JsonNode> of(String identifier, String event) {
    return of(identifier).stream().filter(each -> each.path("event").asText().equals(event)).toList();
  }

  List<String> keys(String identifier) {
    return of(identifier, "record").stream().map(each -> each.at("/data/key").asText()).toList();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
