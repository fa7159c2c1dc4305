package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import reactor.netty.http.server.HttpServerRoutes;

/** Routes of {@code /openapi.json} and {@code /asyncapi.json}, the documents of the API that this instance serves. */
public final class ApiDocumentRoutes implements Consumer<HttpServerRoutes> {

  private static final YAMLMapper YAML = new YAMLMapper();

  private final StaticContent openApi;
  private final StaticContent asyncApi;

  public ApiDocumentRoutes(ServedApi api) {
    openApi = content(OpenApiDocument.of(api));
    asyncApi = content(AsyncApiDocument.of(api));
  }

  /** Reads the handwritten part of a document, a YAML file in the package of this class. */
  static ObjectNode read(String name) {
    try (var in = ApiDocumentRoutes.class.getResourceAsStream(name)) {
      return (ObjectNode) YAML.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StaticContent content(ObjectNode document) {
    return StaticContent.of("application/json; charset=utf-8",
        document.toPrettyString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes.get(OpenApiDocument.PATH, openApi::send).head(OpenApiDocument.PATH, openApi::send)
        .get(AsyncApiDocument.PATH, asyncApi::send).head(AsyncApiDocument.PATH, asyncApi::send);
  }
}
