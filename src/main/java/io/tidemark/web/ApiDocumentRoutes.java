package io.tidemark.web;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import reactor.netty.http.server.HttpServerRoutes;

/** {@code /openapi.json} and {@code /asyncapi.json}: what this instance serves, made of the tables that serve it. */
public final class ApiDocumentRoutes implements Consumer<HttpServerRoutes> {

  private final StaticContent openApi;
  private final StaticContent asyncApi;

  public ApiDocumentRoutes(ServedApi api) {
    openApi = content(OpenApiDocument.of(api).toPrettyString());
    asyncApi = content(AsyncApiDocument.of(api).toPrettyString());
  }

  private static StaticContent content(String json) {
    return StaticContent.of("application/json; charset=utf-8", json.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes.get(OpenApiDocument.PATH, openApi::send).head(OpenApiDocument.PATH, openApi::send)
        .get(AsyncApiDocument.PATH, asyncApi::send).head(AsyncApiDocument.PATH, asyncApi::send);
  }
}
