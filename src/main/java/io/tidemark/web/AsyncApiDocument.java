package io.tidemark.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.feed.FeedEvent;
import io.tidemark.topic.RecordHeader;
import io.tidemark.topic.RecordSchemas;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import io.tidemark.web.ServedApi.ServedSource;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The AsyncAPI document of an instance: each topic as a channel, with its key, its headers and the Avro schema of its
 * values, and each feed as another one.
 */
final class AsyncApiDocument {

  static final String PATH = "/asyncapi.json";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String AVRO = "application/vnd.apache.avro+json;version=1.9.0";
  private static final String JSON_SCHEMA = "application/schema+json;version=draft-07";
  private static final String SCHEMAS = "#/components/schemas/";
  private static final String KAFKA = "kafka";
  private static final String WEB = "web";

  private final ServedApi api;
  private final RecordSchemas records = new RecordSchemas(SCHEMAS);
  private final ObjectNode servers = JSON.objectNode();
  private final ObjectNode channels = JSON.objectNode();
  private final ObjectNode operations = JSON.objectNode();
  private final ObjectNode messages = JSON.objectNode();
  private final ObjectNode schemas = JSON.objectNode();

  private AsyncApiDocument(ServedApi api) {
    this.api = api;
  }

  static ObjectNode of(ServedApi api) {
    return new AsyncApiDocument(api).document();
  }

  private ObjectNode document() {
    addServers();
    Topics.OF_CLUSTER.forEach(topic -> addTopic(topic, topic.name()));
    for (var source : api.sources()) {
      source.topics().all().forEach(topic -> addTopic(topic, source.topics().shortName(topic)));
    }
    addFeeds(api.first());
    schemas.setAll(records.components());
    var document = JSON.objectNode().put("asyncapi", "3.0.0");
    document.set("info", info());
    document.put("defaultContentType", "application/vnd.apache.avro");
    document.set("servers", servers);
    document.set("channels", channels);
    document.set("operations", operations);
    var components = document.putObject("components");
    components.set("messages", messages);
    components.set("schemas", schemas);
    return document;
  }

  private ObjectNode info() {
    var info = JSON.objectNode()
        .put("title", "Tidemark")
        .put("version", api.version())
        .put("description",
            "The topics of each source, and the feeds of the first one over HTTP. Values are Avro in the"
                + " wire format of Confluent's registry, subject `<topic>-value`. Read with `isolation.level=read_committed`."
                + " `/sources/{source}/v1/feeds` are the feeds of each source.");
    info.putObject("license").put("name", "Apache License 2.0");
    return info;
  }

  private void addServers() {
    var protocol = String.valueOf(api.client().getOrDefault("security.protocol", "PLAINTEXT"));
    var hosts = String.valueOf(api.client().get("bootstrap.servers")).split(",", -1);
    for (var i = 0; i < hosts.length; i++) {
      servers.putObject(i == 0 ? KAFKA : KAFKA + (i + 1)).put("host", hosts[i].strip())
          .put("protocol", protocol.contains("SSL") ? "kafka-secure" : KAFKA);
    }
    var web = servers.putObject(WEB).put("host", "{host}").put("protocol", "http")
        .put("description", "The web port of an instance");
    web.putObject("variables").putObject("host").put("default", "127.0.0.1:8080")
        .put("description", "Where this document comes from.");
  }

  /** @param name without the prefix of its source */
  private void addTopic(Topic<?> topic, String name) {
    var channel = channels.putObject(id(topic.name())).put("address", topic.name());
    channel.put("title", topic.name()).put("summary", topic.purpose()).put("description", topic.description());
    servers.fieldNames().forEachRemaining(server -> {
      if (server.startsWith(KAFKA)) {
        channel.withArray("servers").addObject().put("$ref", "#/servers/" + server);
      }
    });
    var message = id(name);
    channel.putObject("messages").putObject(message).put("$ref", "#/components/messages/" + message);
    if (topic.cleanup().isCompacted()) {
      channel.withObjectProperty("messages").set("tombstone", tombstone(topic));
    }
    var binding =
        channel.putObject("bindings").putObject(KAFKA).put("bindingVersion", "0.5.0").put("topic", topic.name());
    topicConfiguration(topic, binding.putObject("topicConfiguration"));
    addMessage(topic, message);
    operations.putObject("send_" + id(topic.name())).put("action", "send")
        .putObject("channel").put("$ref", "#/channels/" + id(topic.name()));
  }

  /** What Kafka does with old records. */
  private static void topicConfiguration(Topic<?> topic, ObjectNode configuration) {
    topic.cleanup().config().forEach((name, value) -> {
      switch (name) {
        case "cleanup.policy" -> List.of(value.split(",", -1)).forEach(configuration.putArray(name)::add);
        case "retention.ms" -> configuration.put(name, Long.parseLong(value));
        default -> {} // of the operator's interest
      }
    });
  }

  private void addMessage(Topic<?> topic, String id) {
    if (messages.has(id)) {
      return; // another source has the same topic
    }
    var message = messages.putObject(id).put("name", topic.schema().getFullName()).put("title", topic.purpose());
    message.put("contentType", "application/vnd.apache.avro");
    message.set("headers", headers(RecordHeader.of(topic)));
    message.putObject("payload").put("schemaFormat", AVRO).set("schema", avro(topic.schema()));
    message.set("bindings", keyBinding(topic));
  }

  /** The record that deletes a key. */
  private static ObjectNode tombstone(Topic<?> topic) {
    var message = JSON.objectNode().put("name", "tombstone").put("title", "The key is deleted");
    message.set("headers", headers(RecordHeader.ofTombstones(topic)));
    message.putObject("payload").put("type", "null");
    message.set("bindings", keyBinding(topic));
    return message;
  }

  private static ObjectNode keyBinding(Topic<?> topic) {
    var bindings = JSON.objectNode();
    bindings.putObject(KAFKA).put("bindingVersion", "0.5.0").putObject("key")
        .put("type", "string").put("description", topic.key());
    return bindings;
  }

  private static ObjectNode headers(List<RecordHeader> sent) {
    var headers = JSON.objectNode().put("type", "object");
    sent.forEach(each -> headers.withObjectProperty("properties")
        .putObject(each.wire()).put("type", "string").put("description", each.description()));
    return headers;
  }

  private static JsonNode avro(Schema schema) {
    try {
      return MAPPER.readTree(schema.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the text of a schema is not JSON: " + schema.getFullName(), e);
    }
  }

  private void addFeeds(ServedSource source) {
    for (var topic : source.topics().all()) {
      var name = source.topics().shortName(topic);
      var id = "feed_" + id(name);
      var channel = channels.putObject(id).put("address", FeedRoutes.PATH + "/" + name)
          .put("title", "Feed of " + name).put("summary", topic.purpose());
      channel.putArray("servers").addObject().put("$ref", "#/servers/" + WEB);
      for (var event : FeedEvent.values()) {
        channel.withObjectProperty("messages").putObject(id(event.wire()))
            .put("$ref", "#/components/messages/" + addEvent(event, topic, id));
      }
      channel.putObject("bindings").putObject("http").put("bindingVersion", "0.3.0");
      operations.putObject("send_" + id).put("action", "send").putObject("channel").put("$ref", "#/channels/" + id);
    }
  }

  /** Only records depend on the topic. Returns the name of the message. */
  private String addEvent(FeedEvent event, Topic<?> topic, String feed) {
    var id = event == FeedEvent.RECORD ? feed + "_record" : "event_" + id(event.wire());
    if (!messages.has(id)) {
      var message = messages.putObject(id).put("name", event.wire()).put("title", event.description())
          .put("contentType", "application/json");
      message.putObject("payload").put("schemaFormat", JSON_SCHEMA).set("schema", event.schema(topic, records));
    }
    return id;
  }

  /** A name that can be in a reference. */
  private static String id(String name) {
    return name.replaceAll("[^a-zA-Z0-9_.-]", "_");
  }
}
