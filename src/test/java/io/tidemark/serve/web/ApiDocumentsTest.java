package io.tidemark.serve.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.wire.Endpoint;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.serve.feed.FeedEvent;
import io.tidemark.serve.feed.FeedParameter;
import io.tidemark.serve.web.ServedApi.ServedSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API documents of an instance with two sources. */
class ApiDocumentsTest {

  static final Path NODE = Path.of("src/test/node");
  static final Topics MAIN = new Topics("tidemark.", Retention.DEFAULT);
  static final Topics OTHER = new Topics("other.", Retention.DEFAULT);
  static final ServedApi API = new ServedApi("1.2.3",
      List.of(new ServedSource("main", MAIN), new ServedSource("the other", OTHER)), ClusterTopics.UNPREFIXED,
      FieldNaming.DOCUMENT, true,
      "127.0.0.1:9090", Map.of("bootstrap.servers", "one:9092, two:9092", "security.protocol", "SASL_SSL",
          "sasl.jaas.config", "password=secret"));

  final JsonNode openApi = OpenApiDocument.of(API);
  final JsonNode asyncApi = AsyncApiDocument.of(API);

  @TempDir
  Path folder;

  @Test
  void bothDocuments_areValid() throws Exception {
    assumeTrue(Files.isDirectory(NODE.resolve("node_modules/@asyncapi/parser")),
        "needs node, and 'npm install' in src/test/node");
    var one = Files.writeString(folder.resolve("openapi.json"), openApi.toString());
    var other = Files.writeString(folder.resolve("asyncapi.json"), asyncApi.toString());

    var printed = run("node", NODE.resolve("validate.mjs").toString(), one.toString(), other.toString());

    assertThat(printed).isEqualTo("openapi OpenAPI valid\nasyncapi 3.0.0 valid, %d channels\n"
        .formatted(asyncApi.path("channels").size()));
  }

  @Test
  void openApi_passesThePublishedLinter_withoutAWarning() throws Exception {
    var linter = NODE.resolve("node_modules/.bin/redocly");
    assumeTrue(Files.exists(linter), "needs node, and 'npm install' in src/test/node");
    var written = Files.writeString(folder.resolve("openapi.json"), openApi.toString());

    var printed = run(linter.toAbsolutePath().toString(), "lint", "--extends=recommended", "--format=json",
        written.toString());

    assertThat(printed).contains("\"totals\"").containsPattern("\"errors\":\\s*0,\\s*\"warnings\":\\s*0");
  }

  @Test
  void openApi_hasEachOperation() {
    var operations = openApi.path("paths").valueStream().map(path -> path.path("get").path("operationId").asText());

    assertThat(operations).containsAll(
        Arrays.stream(Operation.values()).map(operation -> "mirror_" + operation.wire()).toList());
  }

  /** A query has a component for each parameter of its operation. */
  @Test
  void openApi_hasTheParametersThatAnOperationReads_withTheirValuesAndDefaults() {
    for (var endpoint : Endpoints.ALL) {
      var written = parameters(endpoint);
      var required = written.stream().filter(each -> each.has("example")).map(each -> pair(each, each.path("example")))
          .collect(Collectors.joining("&"));
      var query = parse(endpoint, required);

      assertThat(written.stream().filter(each -> each.path("in").asText().equals("path"))
          .map(each -> each.path("name").asText())).containsExactlyElementsOf(endpoint.path().names());
      assertThat(written).as(endpoint.path().text()).hasSize(query.getClass().getRecordComponents().length);
      for (var each : written.stream().filter(each -> each.path("in").asText().equals("query")).toList()) {
        var schema = each.path("schema");
        var standard = schema.path("default").isArray() ? schema.at("/default/0") : schema.path("default");
        for (var value : values(each)) {
          assertThat(parse(endpoint, required + "&" + pair(each, value)).equals(query)).as(pair(each, value))
              .isEqualTo(each.has("example") ? value.equals(each.path("example")) : value.equals(standard));
        }
      }
    }
  }

  @Test
  void openApi_hasTheValuesThatAParameterMayHave_andNoOther() {
    for (var endpoint : Endpoints.ALL) {
      for (var each : parameters(endpoint)) {
        var values = each.at("/schema/items/enum").isMissingNode()
            ? each.at("/schema/enum") : each.at("/schema/items/enum");
        if (!values.isMissingNode()) {
          assertThatThrownBy(
              () -> parse(endpoint, "query=any&date=30-12-2025&" + each.path("name").asText() + "=other"))
              .hasMessageEndingWith(
                  ": " + values.valueStream().map(JsonNode::asText).collect(Collectors.joining(", ")));
        }
        if (each.path("name").asText().equals("page")) {
          assertThat(each.at("/schema/maximum").asInt())
              .isEqualTo(endpoint.onChain() ? MarketRoutes.LAST_PAGE_OF_POOLS : 0);
        }
      }
    }
  }

  private List<JsonNode> parameters(Endpoint<?, ?> endpoint) {
    return openApi.path("paths").path(path(endpoint)).at("/get/parameters").valueStream()
        .map(each -> each.has("$ref") ? openApi.at(each.path("$ref").asText().substring(1)) : each)
        .filter(each -> !each.path("in").asText().equals("header")).toList();
  }

  private static Query<?> parse(Endpoint<?, ?> endpoint, String parameters) {
    return requireNonNull(endpoint.parse(endpoint.path().text().replaceAll("[{}]", ""), parameters));
  }

  private static String pair(JsonNode parameter, JsonNode value) {
    return parameter.path("name").asText() + "=" + value.asText();
  }

  /** Returns values that a parameter may have. */
  private static List<JsonNode> values(JsonNode parameter) {
    var schema = parameter.path("schema").has("items") ? parameter.at("/schema/items") : parameter.path("schema");
    return schema.has("enum") ? schema.path("enum").valueStream().toList() : switch (schema.path("type").asText()) {
      case "boolean" -> List.of(BooleanNode.TRUE, BooleanNode.FALSE);
      case "integer" -> List.of(IntNode.valueOf(1), IntNode.valueOf(2));
      default -> List.of(parameter.has("example") ? parameter.path("example") : TextNode.valueOf("any"));
    };
  }

  private static String path(Endpoint<?, ?> row) {
    return MarketRoutes.PREFIX + (row.onChain() ? MarketRoutes.ON_CHAIN : "") + row.path().text();
  }

  @Test
  void openApi_hasThePathsOfTheInterface_andThatOfCandles() {
    var paths = openApi.path("paths").propertyStream().map(Map.Entry::getKey)
        .filter(path -> path.startsWith(MarketRoutes.PREFIX));

    assertThat(paths).containsExactlyInAnyOrderElementsOf(Stream.concat(
        Endpoints.ALL.stream().map(ApiDocumentsTest::path), Stream.of(MarketRoutes.PREFIX + CandleRoutes.OHLCV))
        .toList());
  }

  @Test
  void openApi_hasEachParameterOfAFeed() {
    var several = openApi.at("/paths/~1v1~1feeds/get/parameters").valueStream()
        .map(each -> each.has("name") ? each.path("name").asText() : each.path("$ref").asText().replaceAll(".*/", ""));

    assertThat(several).containsExactlyElementsOf(Stream.concat(
        Arrays.stream(FeedParameter.values()).map(FeedParameter::wire), Stream.of("Last-Event-ID")).toList());
  }

  @Test
  void openApi_hasTheFieldsOfTheStatus_withTheirTypes() {
    assertThat(properties("SourceStatus")).containsExactlyInAnyOrderElementsOf(Stream.of(
        List.of("name", "budget", "polled_at", "changed_at", "targets"), StatusReader.SOURCE_FIELDS)
        .flatMap(List::stream).toList());
    assertThat(properties("Budget")).containsExactlyInAnyOrderElementsOf(Stream.concat(
        StatusReader.BUDGET_FIELDS.stream(), Stream.of("last_minute")).toList());
    assertThat(properties("TargetStatus")).containsExactlyInAnyOrderElementsOf(StatusReader.TARGET_FIELDS);
    assertThat(openApi.at("/components/schemas/TargetStatus/properties/missed/type"))
        .hasToString("[\"integer\",\"null\"]");
    assertThat(openApi.toString()).doesNotContain("x-attributes-of", "x-fields-of");
  }

  @Test
  void answers_haveTheAttributesOfTheirRecords() {
    assertThat(openApi.at("/components/schemas/Global/properties/active_cryptocurrencies"))
        .hasToString("{\"type\":[\"integer\",\"null\"]}");
    assertThat(properties("Pool")).containsExactlyInAnyOrder("id", "type", "attributes", "relationships");
    assertThat(openApi.at("/components/schemas/Pool/properties/attributes/properties").propertyStream()
        .map(Map.Entry::getKey)).contains("base_token_price_usd", "reserve_in_usd", "token_price_usd");
  }

  @Test
  void instanceWithoutRegistryAndManagement_documentsNeither() {
    var small = OpenApiDocument
        .of(new ServedApi("1.2.3", API.sources(), ClusterTopics.UNPREFIXED, FieldNaming.DOCUMENT, false, null,
            API.client()));

    assertThat(small.toString()).doesNotContain("registry", "Registry", "/metrics");
    assertThat(small.at("/components/schemas").has("Health")).isTrue();
  }

  private Stream<String> properties(String schema) {
    return openApi.path("components").path("schemas").path(schema).path("properties").propertyStream()
        .map(Map.Entry::getKey);
  }

  @Test
  void asyncApi_hasEachTopicOfEachSource_andTheFeedsOfTheFirst() {
    var addresses = asyncApi.path("channels").findValuesAsText("address");
    var topics =
        Stream.of(ClusterTopics.UNPREFIXED.all(), MAIN.all(), OTHER.all()).flatMap(List::stream).map(Topic::name);
    var feeds = MAIN.all().stream().map(topic -> "/v1/feeds/" + MAIN.shortName(topic));

    assertThat(addresses).containsExactlyInAnyOrderElementsOf(
        Stream.of(topics, feeds, Stream.of(StreamRoutes.PATH)).flatMap(each -> each).toList());
    assertThat(asyncApi.path("channels").path("feed_pool.changes").path("messages").size())
        .isEqualTo(FeedEvent.values().length);
    assertThat(asyncApi.at("/components/messages/pool.changes/payload/schema/name").asText()).isEqualTo("PoolChange");
    assertThat(asyncApi.at("/components/messages/pool.changes/headers/properties")).hasSize(3);
    assertThat(asyncApi.path("servers").findValuesAsText("host")).contains("one:9092", "two:9092");
  }

  /** Of the configuration of clients, only the address is anybody's business. */
  @Test
  void documents_keepSecrets() {
    assertThat(openApi.toString() + asyncApi).doesNotContain("secret", "sasl.jaas");
  }

  private static String run(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed;
  }
}
