package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.event.Removed;
import io.tidemark.event.SourceSlot;
import io.tidemark.kafka.CleanupPolicy;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaRegistryRoutesTest {

  static final Topic<SourceSlot> SLOTS =
      new Topic<>("t.slots", SourceSlot.class, CleanupPolicy.COMPACT, "", "", List.of());
  static final Schema SCHEMA = SourceSlot.getClassSchema();
  static final int ID = BuiltInRegistry.idOf(SCHEMA);
  static final HttpClient HTTP = HttpClient.newHttpClient();

  static WebServer server;

  @BeforeAll
  static void listen() {
    var routes = new SchemaRegistryRoutes(new BuiltInRegistry(List.of(SLOTS)));
    server = LocalServer.start(List.of(routes));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void subjects_areThoseOfTheTopics() throws Exception {
    assertThat(get("/subjects").body()).isEqualTo("[\"t.slots-value\"]");
  }

  @Test
  void answers_haveTheTypeThatClientsAskFor() throws Exception {
    assertThat(get("/subjects").headers().firstValue("content-type"))
        .hasValue("application/vnd.schemaregistry.v1+json");
  }

  @Test
  void versions_areCountedFromOne() throws Exception {
    assertThat(get("/subjects/t.slots-value/versions").body()).isEqualTo("[1]");
  }

  @ParameterizedTest
  @CsvSource({"1", "latest", "-1"})
  void version_isDescribed(String version) throws Exception {
    var described = json(get("/subjects/t.slots-value/versions/" + version));

    assertThat(described.get("subject").asText()).isEqualTo("t.slots-value");
    assertThat(described.get("version").asInt()).isEqualTo(1);
    assertThat(described.get("id").asInt()).isEqualTo(ID);
    assertThat(described.get("schema").asText()).isEqualTo(SCHEMA.toString());
  }

  @Test
  void id_givesItsSchema() throws Exception {
    assertThat(json(get("/schemas/ids/" + ID)).get("schema").asText()).isEqualTo(SCHEMA.toString());
  }

  @Test
  void knownSchema_isFound() throws Exception {
    assertThat(json(post("/subjects/t.slots-value", request(SCHEMA))).get("id").asInt()).isEqualTo(ID);
  }

  @ParameterizedTest
  @CsvSource({
    "/subjects/pond/versions,             404, 40401",
    "/subjects/pond/versions/1,           404, 40401",
    "/subjects/t.slots-value/versions/9,  404, 40402",
    "/subjects/t.slots-value/versions/x,  422, 42202",
    "/subjects/t.slots-value/versions/0,  422, 42202",
    "/schemas/ids/7,                      404, 40403",
    "/schemas/ids/2199999999,             404, 40403",
    "/schemas/ids/99999999999999999999,   404, 40403",
    "/schemas/ids/x,                      404, 40403"
  })
  void missingThing_isRejected_withConfluentsError(String path, int status, int code) throws Exception {
    var answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(json(answer).get("error_code").asInt()).isEqualTo(code);
    assertThat(json(answer).get("message").asText()).isNotBlank();
  }

  @Test
  void strangeSchema_isNotFound() throws Exception {
    assertThat(errorCode(post("/subjects/t.slots-value", request(Removed.getClassSchema())))).isEqualTo(40403);
  }

  @Test
  void strangeSubject_isNotFound() throws Exception {
    assertThat(errorCode(post("/subjects/pond", request(SCHEMA)))).isEqualTo(40401);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"{}", "{\"schema\":\"nonsense\"}", "<html>", "{\"schema\":\"[\"}", "''"})
  void unreadableRequest_isAnInvalidSchema(String request) throws Exception {
    assertThat(errorCode(post("/subjects/t.slots-value", request))).isEqualTo(42201);
  }

  @Test
  void endlessRequest_isNotReadToItsEnd() throws Exception {
    var answer = post("/subjects/t.slots-value", " ".repeat(2 << 20));

    assertThat(errorCode(answer)).isEqualTo(42201);
  }

  @Test
  void clientOfAnExternalRegistry_findsKnownSchemas() {
    assertThat(client().id("t.slots-value", SCHEMA)).isEqualTo(ID);
    assertThat(client().schema(ID)).isEqualTo(SCHEMA);
  }

  @Test
  void clientOfAnExternalRegistry_cannotRegister() {
    assertThatThrownBy(() -> client().id("t.slots-value", Removed.getClassSchema()))
        .isInstanceOf(SchemaRegistryFailure.RejectedByRegistry.class)
        .hasMessageContaining("read-only");
  }

  private static ConfluentRegistry client() {
    return new ConfluentRegistry(uri(""), null, HTTP);
  }

  private static String request(Schema schema) {
    return JsonNodeFactory.instance.objectNode().put("schema", schema.toString()).toString();
  }

  private static int errorCode(HttpResponse<String> answer) throws Exception {
    return json(answer).get("error_code").asInt();
  }

  private static JsonNode json(HttpResponse<String> answer) throws Exception {
    return new ObjectMapper().readTree(answer.body());
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return HTTP.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
  }

  private static URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + "/registry" + path);
  }
}
