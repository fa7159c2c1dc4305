package io.tidemark.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.feed.FeedEvent;
import io.tidemark.feed.FeedParameter;
import io.tidemark.http.server.ErrorSample;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.wire.AnswerSchemas;
import io.tidemark.http.wire.Endpoint;
import io.tidemark.http.wire.EndpointParameter;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.topic.RecordSchemas;
import io.tidemark.web.ManagementRoutes.ManagementOperation;
import io.tidemark.web.SchemaRegistryRoutes.RegistryOperation;
import io.tidemark.web.ServedApi.ServedSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The OpenAPI document of an instance: the 13 operations of the mirror, the feeds, the status, silences, sessions, the
 * built-in registry, health and metrics. Parameters, answers and errors are those of the tables that serve them.
 */
final class OpenApiDocument {

  static final String PATH = "/openapi.json";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String SCHEMAS = "#/components/schemas/";
  private static final String KEY = "key";
  private static final String BEARER = "bearer";
  private static final Pattern PATH_PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  private final ServedApi api;
  private final AnswerSchemas answers;
  private final RecordSchemas records = new RecordSchemas(SCHEMAS);
  private final ObjectNode paths = JSON.objectNode();

  private OpenApiDocument(ServedApi api) {
    this.api = api;
    this.answers = new AnswerSchemas(api.naming(), SCHEMAS);
  }

  static ObjectNode of(ServedApi api) {
    return new OpenApiDocument(api).document();
  }

  private ObjectNode document() {
    Endpoints.ALL.forEach(this::addOperation);
    addFeeds();
    addAtRoot(StatusRoutes.PATH, operation("status", "status",
        "Each source with its budget and the staleness of its targets, and the health of this process")
        .set("responses", responses("200", answer("The status.", StatusRoutes.schema(records)))));
    addSilences();
    addSessions();
    if (api.hasRegistry()) {
      Arrays.stream(RegistryOperation.values()).forEach(this::addRegistry);
    }
    if (api.management() != null) {
      Arrays.stream(ManagementOperation.values()).forEach(this::addManagement);
    }
    addDocument(PATH, "This document");
    addDocument(AsyncApiDocument.PATH, "The topics and the feeds as an AsyncAPI document");
    var document = JSON.objectNode().put("openapi", "3.1.1");
    document.set("info", info());
    document.set("servers", servers());
    document.set("paths", paths);
    document.set("components", components());
    return document;
  }

  private ObjectNode info() {
    var info = JSON.objectNode()
        .put("title", "Tidemark")
        .put("version", api.version())
        .put("description",
            "Change data capture for a market data service that can only be polled: the interface of the"
                + " service answered from Kafka, and the topics as feeds. The same paths below `/sources/{source}` are those"
                + " of each source; without that, of the first one. Answers pass on members that nobody documented.");
    info.putObject("license").put("name", "Apache License 2.0").put("identifier", "Apache-2.0");
    return info;
  }

  /** The root, which is the first source, and each source. */
  private JsonNode servers() {
    var servers = JSON.arrayNode();
    servers.addObject().put("url", "/").put("description", "The first source");
    var source = servers.addObject().put("url", "/sources/{source}").put("description", "Each source")
        .putObject("variables").putObject("source").put("default", api.first().name());
    api.sources().stream().map(ServedSource::name).forEach(source.putArray("enum")::add);
    return servers;
  }

  private ObjectNode components() {
    var components = JSON.objectNode();
    var schemas = new TreeMap<String, JsonNode>(answers.components());
    schemas.putAll(records.components());
    components.putObject("schemas").setAll(schemas);
    var schemes = components.putObject("securitySchemes");
    schemes.putObject(KEY)
        .put("type", "apiKey").put("in", "header").put("name", MarketRoutes.KEY_HEADER)
        .put("description", "A key of this Tidemark, where it asks for one. It is never the key of the source.");
    schemes.putObject(BEARER).put("type", "http").put("scheme", "bearer")
        .put("description", "The same key. A browser sends the cookie of a session instead.");
    return components;
  }

  private void addOperation(Endpoint<?, ?> endpoint) {
    var operation = operation("mirror", endpoint.operation().wire(), endpoint.operation().summary());
    addPathParameters(operation, endpoint.pathParameters());
    endpoint.queryParameters().forEach(each -> operation.withArray("parameters").add(parameter(endpoint, each)));
    operation.withArray("parameters").addObject().put("name", "If-None-Match").put("in", "header")
        .put("description", "The `ETag` of the body that the reader has.").putObject("schema").put("type", "string");
    var security = operation.putArray("security");
    security.addObject();
    security.addObject().putArray(KEY);
    var ok = answer("The answer.", answers.of(endpoint));
    ok.set("headers", headers());
    var responses = responses("200", ok);
    responses.putObject("304").put("description", "The body is the one that `If-None-Match` names.");
    ErrorSample.of(endpoint).forEach(sample -> addError(responses, sample));
    operation.set("responses", responses);
    add(MarketRoutes.PREFIX + (endpoint.onChain() ? MarketRoutes.ON_CHAIN : "") + endpoint.pathText(), operation);
  }

  private static ObjectNode parameter(Endpoint<?, ?> endpoint, EndpointParameter each) {
    var parameter = JSON.objectNode().put("name", each.name()).put("in", "query");
    var aliases = each.aliases().isEmpty() ? "" : " Also read as `" + String.join("`, `", each.aliases()) + "`.";
    parameter.put("description", each.description() + aliases);
    if (each.isRequired()) {
      parameter.put("required", true).put("example", each.example());
    }
    if (each.isList()) {
      parameter.put("style", "form").put("explode", false);
    }
    parameter.set("schema", each.schema());
    if (endpoint.onChain() && each.name().equals("page")) {
      each.schema().put("maximum", MarketRoutes.LAST_PAGE_OF_POOLS);
    }
    return parameter;
  }

  private static ObjectNode headers() {
    var headers = JSON.objectNode();
    new TreeMap<>(MarketRoutes.ANSWER_HEADERS).forEach((name, description) -> headers.putObject(name)
        .put("description", description)
        .put("required", MarketRoutes.ALWAYS_SENT.contains(name))
        .putObject("schema").put("type", name.equals("Age") ? "integer" : "string"));
    return headers;
  }

  /** One status can have several bodies. */
  private static void addError(ObjectNode responses, ErrorSample sample) {
    var status = Integer.toString(sample.status());
    var schema = shape(parsed(sample.body()));
    if (responses.get(status) instanceof ObjectNode known) {
      known.put("description", known.path("description").asText() + " " + sample.meaning());
      var media = (ObjectNode) known.at("/content/application~1json");
      var either = JSON.objectNode();
      either.putArray("anyOf").add(media.path("schema")).add(schema);
      media.set("schema", either);
      return;
    }
    var response = answer(sample.meaning(), schema);
    sample.headers().forEach(name -> response.withObjectProperty("headers").putObject(name)
        .putObject("schema").put("type", "integer"));
    responses.set(status, response);
  }

  private static JsonNode parsed(String body) {
    try {
      return new ObjectMapper().readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an error reply is not JSON: " + body, e);
    }
  }

  /** The shape that a sample has. */
  private static ObjectNode shape(JsonNode sample) {
    var schema = JSON.objectNode();
    switch (sample.getNodeType()) {
      case OBJECT -> {
        schema.put("type", "object");
        sample.properties().forEach(member -> {
          schema.withObjectProperty("properties").set(member.getKey(), shape(member.getValue()));
          schema.withArray("required").add(member.getKey());
        });
      }
      case ARRAY -> schema.put("type", "array").set("items", shape(sample.path(0)));
      case NUMBER -> schema.put("type", "integer");
      default -> schema.put("type", "string");
    }
    return schema;
  }

  private void addFeeds() {
    var several = follow("feeds", "Follows several topics as one stream of Server-Sent Events; without the parameter"
        + " `topic`, lists the topics");
    ((ObjectNode) several.at("/responses/200/content")).putObject("application/json")
        .set("schema", FeedRoutes.listSchema());
    add(FeedRoutes.PATH, several);
    var one = follow("feed", "Follows a topic as Server-Sent Events");
    var topic = ((ArrayNode) one.path("parameters")).insertObject(0)
        .put("name", "topic").put("in", "path").put("required", true)
        .put("description", "A topic, with its prefix or without it.");
    topics(topic.putObject("schema"));
    add(FeedRoutes.PATH + "/{topic}", one);
  }

  /** @param id the feed of the path is of one topic */
  private ObjectNode follow(String id, String summary) {
    var isOne = id.equals("feed");
    var follow = operation("feeds", id, summary);
    follow.put("description", "Kinds of events:\n\n" + Arrays.stream(FeedEvent.values())
        .map(event -> "- `" + event.wire() + "`: " + event.description() + "\n").collect(Collectors.joining())
        + "\nThe `id` of an event goes back in the header `Last-Event-ID`; the feed then goes on with the next record."
        + (isOne ? "" : " A parameter with a dot and the name of a topic behind its name is of that topic alone:"
            + " `from.pool.changes=10m`."));
    follow.putObject("externalDocs").put("url", AsyncApiDocument.PATH)
        .put("description", "The data of the events, topic by topic");
    Arrays.stream(FeedParameter.values()).filter(each -> !isOne || each != FeedParameter.TOPIC)
        .forEach(each -> follow.withArray("parameters").add(parameter(each)));
    follow.withArray("parameters").addObject().put("name", "Last-Event-ID").put("in", "header")
        .put("description", "The id of the last event that the reader has.").putObject("schema").put("type", "string");
    var stream = JSON.objectNode().put("description", "Events, until the reader or the server ends the connection.");
    stream.putObject("content").putObject("text/event-stream").putObject("schema").put("type", "string");
    var responses = responses("200", stream);
    refuse(responses, "400", "A parameter is unknown or has a wrong value.");
    refuse(responses, "404", "There is no such topic or source.");
    var busy = answer("Too many readers catch up, or Kafka does not answer.", AccessControl.refusalSchema());
    busy.putObject("headers").putObject("Retry-After").putObject("schema").put("type", "integer");
    responses.set("503", busy);
    follow.set("responses", responses);
    return follow;
  }

  private void topics(ObjectNode schema) {
    schema.put("type", "string").putArray("examples").add("pool.changes");
    var names = schema.putArray("enum");
    var topics = api.first().topics();
    topics.all().forEach(topic -> names.add(topics.shortName(topic)));
    topics.all().forEach(topic -> names.add(topic.name()));
  }

  private static ObjectNode parameter(FeedParameter each) {
    var parameter =
        JSON.objectNode().put("name", each.wire()).put("in", "query").put("description", each.description());
    var schema = parameter.putObject("schema");
    if (each.isRepeatable()) {
      schema.put("type", "array").putObject("items").put("type", "string");
    } else {
      schema.put("type", "string");
    }
    return parameter;
  }

  private void addSilences() {
    var list = JSON.objectNode().put("type", "array");
    list.set("items", SilenceRoutes.schema());
    addSilence("get", "", "list", "The silences that have not ended",
        responses("200", answer("The silences.", list)));
    var added = responses("201", answer("The silence.", SilenceRoutes.schema()));
    refuse(added, "400", "The silence is not valid.");
    refuse(added, "409", "There are as many silences as there can be.");
    var add = addSilence("post", "", "add", "Adds a silence: its alerts are published and not delivered", added);
    takesJson(add, SilenceRoutes.requestSchema(),
        JSON.objectNode().put("rule", "price-move").put("for", "6h").put("comment", "known"), added);
    addSilence("delete", "/{id}", "end", "Ends a silence",
        responses("200", answer("The silence that was ended.", SilenceRoutes.schema())));
  }

  private ObjectNode addSilence(String method, String path, String id, String summary, ObjectNode responses) {
    var operation = operation("silences", id, summary);
    addPathParameters(operation, PATH_PARAMETER.matcher(path).results().map(found -> found.group(1)).toList());
    operation.withArray("parameters").addObject().put("name", "source").put("in", "query")
        .put("description", "Name of the source; left out: the first one.").putObject("schema").put("type", "string");
    refuse(responses, "404", path.isEmpty() ? "There is no such source." : "There is no such source or silence.");
    refuse(responses, "503", "Kafka does not answer.");
    if (!method.equals("get")) {
      operation.putArray("security").addObject().putArray(BEARER);
      refuse(responses, "401", "No key was sent, or an unknown one.");
      refuse(responses, "403", "The key has no right to write, or the request was made by the page of another server.");
    }
    addAtRoot(SilenceRoutes.PATH + path, method, operation.set("responses", responses));
    return operation;
  }

  private void addSessions() {
    var who = answer("Who asks, and what is allowed.", LoginRoutes.callerSchema());
    var login = operation("sessions", "login", "Swaps a key for the cookie of a session");
    var responses = responses("200", who);
    refuse(responses, "400", "The body has no key.");
    refuse(responses, "401", "The key is not known.");
    refuse(responses, "403", "The request was made by the page of another server.");
    refuse(responses, "429", "Too many wrong keys came from this address; `Retry-After` has the wait in seconds.");
    var key = JSON.objectNode().put("type", "object");
    key.putObject("properties").putObject("key").put("type", "string");
    key.putArray("required").add("key");
    takesJson(login, key, JSON.objectNode().put("key", "..."), responses);
    addAtRoot(AccessControl.LOGIN, "post", login.set("responses", responses));
    var left = responses("204", JSON.objectNode().put("description", "The cookie is taken back."));
    refuse(left, "403", "The request was made by the page of another server.");
    addAtRoot(AccessControl.LOGOUT, "post",
        operation("sessions", "logout", "Takes the cookie of a session back").set("responses", left));
    addAtRoot(LoginRoutes.ME, operation("sessions", "me", "Who asks, and what is allowed")
        .set("responses", responses("200", who.deepCopy())));
  }

  private static void takesJson(ObjectNode operation, JsonNode schema, ObjectNode example, ObjectNode responses) {
    var media = operation.putObject("requestBody").put("required", true).putObject("content")
        .putObject("application/json");
    media.set("schema", schema);
    media.set("example", example);
    refuse(responses, "413", "The body is too large.");
    refuse(responses, "415", "The body is not `application/json`.");
  }

  private static void refuse(ObjectNode responses, String status, String meaning) {
    responses.set(status, answer(meaning, AccessControl.refusalSchema()));
  }

  private void addRegistry(RegistryOperation each) {
    var operation = operation("registry", each.name().toLowerCase(Locale.ROOT), each.summary());
    addPathParameters(operation, PATH_PARAMETER.matcher(each.path()).results().map(found -> found.group(1)).toList());
    if (each.hasBody()) {
      var body = operation.putObject("requestBody").put("required", true);
      body.putObject("content").putObject(SchemaRegistryRoutes.MEDIA_TYPE).set("schema", each.request());
    }
    var responses = responses("200", content("The answer.", SchemaRegistryRoutes.MEDIA_TYPE, each.response()));
    responses.set("default",
        content("What is wrong.", SchemaRegistryRoutes.MEDIA_TYPE, SchemaRegistryView.errorSchema()));
    operation.set("responses", responses);
    addAtRoot(each.path(), each.hasBody() ? "post" : "get", operation);
  }

  private void addManagement(ManagementOperation each) {
    var operation = operation("management", each.name().toLowerCase(Locale.ROOT), each.summary());
    var isHealth = each.isHealth();
    var responses = responses("200", isHealth ? answer("It is up, or works worse than it should.", Health.schema())
        : content("The metrics.", "text/plain", JSON.objectNode().put("type", "string")));
    if (isHealth) {
      responses.set("503", answer("A part is down.", Health.schema()));
    }
    operation.set("responses", responses);
    add(each.path(), operation);
    paths.withObjectProperty(each.path()).putArray("servers").addObject().put("url", "http://" + api.management())
        .put("description", "The port of health and metrics");
  }

  private void addDocument(String path, String summary) {
    addAtRoot(path, operation("documents", path.substring(1).replace(".json", ""), summary)
        .set("responses", responses("200", answer("The document.", JSON.objectNode().put("type", "object")))));
  }

  private static ObjectNode operation(String tag, String id, String summary) {
    var operation = JSON.objectNode();
    operation.putArray("tags").add(tag);
    return operation.put("operationId", tag + "_" + id).put("summary", summary);
  }

  private static void addPathParameters(ObjectNode operation, List<String> names) {
    names.forEach(name -> operation.withArray("parameters").addObject()
        .put("name", name).put("in", "path").put("required", true).putObject("schema").put("type", "string"));
  }

  private static ObjectNode responses(String status, ObjectNode response) {
    var responses = JSON.objectNode();
    responses.set(status, response);
    return responses;
  }

  private static ObjectNode answer(String description, JsonNode schema) {
    return content(description, "application/json", schema);
  }

  private static ObjectNode content(String description, String type, JsonNode schema) {
    var response = JSON.objectNode().put("description", description);
    response.putObject("content").putObject(type).set("schema", schema);
    return response;
  }

  private void add(String path, ObjectNode operation) {
    paths.withObjectProperty(path).set("get", operation);
  }

  private void addAtRoot(String path, ObjectNode operation) {
    addAtRoot(path, "get", operation);
  }

  /** A path that there is once, and not for each source. */
  private void addAtRoot(String path, String method, ObjectNode operation) {
    var item = paths.withObjectProperty(path);
    item.set(method, operation);
    item.putArray("servers").addObject().put("url", "/");
  }
}
