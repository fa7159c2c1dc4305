package io.tidemark.serve.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.serve.feed.FeedParameter;
import io.tidemark.serve.feed.FeedRefusal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A command of a client of a stream, in the form of Action Cable. {@code identifier} and {@code data} are JSON objects,
 * written as text.
 *
 * @param identifier the text that names the subscription in commands and messages
 * @param channel the member {@code channel} of the identifier
 * @param parameters the other members of the identifier
 * @param data what a message says; empty for other commands
 */
record StreamCommand(Verb verb, String identifier, String channel, ObjectNode parameters, ObjectNode data) {

  /** Maximum length of an identifier, which each message of the subscription repeats. */
  static final int LONGEST_IDENTIFIER = 4_096;

  private static final ObjectMapper MAPPER = new ObjectMapper()
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  enum Verb {
    SUBSCRIBE,
    UNSUBSCRIBE,
    MESSAGE
  }

  /** @throws FeedRefusal if the text is not a command */
  static StreamCommand parse(String text) {
    var command = object("a command", text);
    var verb = verb(command.path("command").asText());
    var identifier = command.path("identifier").asText();
    if (identifier.length() > LONGEST_IDENTIFIER) {
      throw FeedRefusal.badRequest("identifier: must have at most " + LONGEST_IDENTIFIER + " characters");
    }
    var parameters = object("identifier", identifier);
    var channel = parameters.path("channel").asText();
    if (channel.isEmpty()) {
      throw FeedRefusal.badRequest("identifier: must have the member channel: the name of a topic or channel");
    }
    parameters.remove("channel");
    var data = verb == Verb.MESSAGE ? object("data", command.path("data").asText()) : MAPPER.createObjectNode();
    return new StreamCommand(verb, identifier, channel, parameters, data);
  }

  private static Verb verb(String wire) {
    return Arrays.stream(Verb.values()).filter(verb -> verb.name().toLowerCase(Locale.ROOT).equals(wire)).findFirst()
        .orElseThrow(() -> FeedRefusal.badRequest("command: must be subscribe, unsubscribe or message"));
  }

  private static ObjectNode object(String name, String text) {
    try {
      if (MAPPER.readTree(text) instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonProcessingException e) {
      // the same refusal
    }
    throw FeedRefusal.badRequest(name + ": must be a JSON object" + (name.startsWith("a ") ? "" : ", as text"));
  }

  /** Returns the values of a member of a JSON object that may be a text or a list of texts; empty if it is missing. */
  static List<String> texts(ObjectNode object, String name) {
    var value = object.path(name);
    if (value.isMissingNode()) {
      return List.of();
    }
    var values = value.isArray() ? value.valueStream().toList() : List.of(value);
    if (values.isEmpty() || !values.stream().allMatch(JsonNode::isTextual)) {
      throw FeedRefusal.badRequest(name + ": must be a text or a list of texts");
    }
    return values.stream().map(JsonNode::textValue).toList();
  }

  /** Returns the name of the source in the identifier, or null if the identifier has none. */
  @Nullable
  String source() {
    var named = texts(parameters, FeedParameter.SOURCE.wire());
    return named.isEmpty() ? null : named.getFirst();
  }

  /** Returns the members of the identifier as the parameters of a feed. */
  Map<String, List<String>> feedParameters() {
    var values = new TreeMap<String, List<String>>();
    parameters.fieldNames().forEachRemaining(name -> values.put(name, texts(parameters, name)));
    if (values.containsKey(FeedParameter.TOPIC.wire()) || values.containsKey(FeedParameter.STATUS.wire())) {
      throw FeedRefusal.badRequest("topic, status: not in a stream; the channel names the topic");
    }
    return values;
  }
}
