package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

/** The answers that an OpenAPI document describes. */
public final class DocumentedAnswers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode document;
  private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private final Map<JsonNode, Schema> schemas = new HashMap<>();

  public DocumentedAnswers(String document) throws IOException {
    this.document = JSON.readTree(document);
  }

  public JsonNode document() {
    return document;
  }

  /** Fails where an answer is not one that the document describes for its path, status, type, headers and body. */
  public void check(String path, String method, HttpResponse<?> response, String body)
      throws IOException {
    var responses = document.path("paths").path(path).path(method).path("responses");
    var family = status(response).charAt(0) + "XX";
    var documented = resolved(responses.path(responses.has(status(response)) ? status(response) : family));
    assertThat(documented.isObject()).as("%s %s: %s", method, path, status(response)).isTrue();
    documented.path("headers").properties().stream()
        .filter(each -> resolved(each.getValue()).path("required").asBoolean())
        .forEach(each -> assertThat(response.headers().firstValue(each.getKey())).as(each.getKey()).isPresent());
    if (!documented.has("content")) {
      return;
    }
    var sent = response.headers().firstValue("content-type").orElseThrow().split(";", 2)[0];
    var content = documented.path("content").path(sent);
    assertThat(content.isObject()).as("%s: %s", path, sent).isTrue();
    if (sent.endsWith("json")) {
      assertThat(schema(content.path("schema")).validate(JSON.readTree(body)))
          .as("%s: %s", path, body).isEmpty();
    }
  }

  /** What a reference refers to. */
  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
  }

  private static String status(HttpResponse<?> response) {
    return Integer.toString(response.statusCode());
  }

  /** The schema, with what it refers to. */
  private Schema schema(JsonNode schema) {
    return schemas.computeIfAbsent(schema, absent -> {
      ObjectNode whole = schema.deepCopy();
      whole.set("components", document.path("components"));
      return registry.getSchema(whole);
    });
  }
}
