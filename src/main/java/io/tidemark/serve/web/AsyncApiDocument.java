package io.tidemark.serve.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.kafka.RecordHeader;
import io.tidemark.kafka.RecordSchemas;
import io.tidemark.kafka.Topic;
import java.util.List;

/**
 * The AsyncAPI document of an instance: {@code asyncapi.yaml}, with a channel for each topic of the cluster, for each
 * topic of each source, and for each feed of the first source. The channel of a topic describes the key and the
 * headers of the topic's records, and contains the Avro schema of their values.
 */
final class AsyncApiDocument {

  static final String PATH = "/asyncapi.json";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String KAFKA = "kafka";

  private final ServedApi api;
  private final RecordSchemas records = new RecordSchemas("#/components/schemas/");
  private final ObjectNode document = ApiDocumentRoutes.read("asyncapi.yaml");
  private final ObjectNode ofTopic = (ObjectNode) document.remove("x-topic");
  private final ObjectNode ofFeed = (ObjectNode) document.remove("x-feed");
  private final ObjectNode messages = document.withObject("/components/messages");

  private AsyncApiDocument(ServedApi api) {
    this.api = api;
  }

  static ObjectNode of(ServedApi api) {
    return new AsyncApiDocument(api).document();
  }

  private ObjectNode document() {
    document.withObject("/info").put("version", api.version());
    addServers();
    api.ofCluster().all().forEach(topic -> addTopic(topic, topic.name()));
    for (var source : api.sources()) {
      source.topics().all().forEach(topic -> addTopic(topic, source.topics().shortName(topic)));
    }
    var first = api.first().topics();
    first.all().forEach(topic -> addFeed(topic, first.shortName(topic)));
    document.withObject("/components/schemas").setAll(records.components());
    return document;
  }

  private void addServers() {
    var protocol = String.valueOf(api.client().getOrDefault("security.protocol", "PLAINTEXT"));
    var hosts = String.valueOf(api.client().get("bootstrap.servers")).split(",", -1);
    for (var i = 0; i < hosts.length; i++) {
      document.withObject("/servers").putObject(i == 0 ? KAFKA : KAFKA + (i + 1)).put("host", hosts[i].strip())
          .put("protocol", protocol.contains("SSL") ? "kafka-secure" : KAFKA);
    }
  }

  /** @param name name of the topic without the prefix of its source */
  private void addTopic(Topic<?> topic, String name) {
    var channel = addChannel(id(topic.name()), ofTopic, topic.name()).put("title", topic.name())
        .put("summary", topic.purpose()).put("description", topic.description());
    document.withObject("/servers").propertyStream().map(each -> each.getKey())
        .filter(server -> server.startsWith(KAFKA))
        .forEach(server -> channel.withArray("servers").addObject().put("$ref", "#/servers/" + server));
    refer(channel, id(name), id(name));
    if (topic.cleanup().isCompacted()) {
      channel.withObject("/messages")
          .set("tombstone", message("tombstone", topic, RecordHeader.ofTombstones(topic)));
    }
    topicConfiguration(topic, channel.withObject("/bindings/kafka").put("topic", topic.name()));
    if (!messages.has(id(name))) { // otherwise, another source has already added it
      var message = message("message", topic, RecordHeader.of(topic)).put("name", topic.schema().getFullName())
          .put("title", topic.purpose());
      message.withObject("/payload").set("schema", avro(topic));
      messages.set(id(name), message);
    }
  }

  /** Adds a channel, and an operation that sends to that channel. Returns the channel. */
  private ObjectNode addChannel(String id, ObjectNode template, String address) {
    var channel = (ObjectNode) template.required("channel").deepCopy();
    document.withObject("/channels").set(id, channel);
    document.withObject("/operations").putObject("send_" + id).put("action", "send")
        .putObject("channel").put("$ref", "#/channels/" + id);
    return channel.put("address", address);
  }

  private ObjectNode message(String template, Topic<?> topic, List<RecordHeader> headers) {
    var message = (ObjectNode) ofTopic.required(template).deepCopy();
    var sent = message.putObject("headers").put("type", "object");
    headers.forEach(each -> sent.withObjectProperty("properties")
        .putObject(each.wire()).put("type", "string").put("description", each.description()));
    message.withObject("/bindings/kafka/key").put("description", topic.key());
    return message;
  }

  private static void refer(ObjectNode channel, String name, String message) {
    channel.withObject("/messages").putObject(name).put("$ref", "#/components/messages/" + message);
  }

  /** Adds the settings that decide how long records are kept. Other settings concern only operators. */
  private static void topicConfiguration(Topic<?> topic, ObjectNode binding) {
    var configuration = binding.putObject("topicConfiguration");
    topic.cleanup().config().forEach((name, value) -> {
      switch (name) {
        case "cleanup.policy" -> List.of(value.split(",", -1)).forEach(configuration.putArray(name)::add);
        case "retention.ms" -> configuration.put(name, Long.parseLong(value));
        default -> {}
      }
    });
  }

  private static ObjectNode avro(Topic<?> topic) {
    try {
      return (ObjectNode) MAPPER.readTree(topic.schema().toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the text of a schema is not JSON: " + topic.schema().getFullName(), e);
    }
  }

  private void addFeed(Topic<?> topic, String name) {
    var id = "feed_" + id(name);
    var channel = addChannel(id, ofFeed, FeedRoutes.PATH + "/" + name).put("title", "Feed of " + name)
        .put("summary", topic.purpose());
    refer(channel, "record", id + "_record");
    var record = (ObjectNode) ofFeed.required("record").deepCopy();
    var properties = record.withObject("/payload/schema/properties");
    properties.putObject("topic").put("const", topic.name());
    properties.set("value", records.valueOf(topic));
    messages.set(id + "_record", record);
  }

  /** Replaces those characters of a name that are not allowed in a reference. */
  private static String id(String name) {
    return name.replaceAll("[^a-zA-Z0-9_.-]", "_");
  }
}
