package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerRoutes;

class FeedRoutesTest {

  private static final int REQUESTS = 10;

  @Test
  void refusedFeeds_areNotRetainedByTheirConnection() throws Exception {
    var status = new StatusRoutes(List.of(), () -> new Health(List.of()), InstantSource.system());
    var requests = new CopyOnWriteArrayList<WeakReference<HttpServerRequest>>();
    Set<Object> connections = new HashSet<>();
    var routes = HttpServerRoutes.newRoutes();
    try (var feeds = new FeedRoutes(List.of(), status, AccessControl.open(), InstantSource.system());
        var http = HttpClient.newHttpClient()) {
      feeds.accept(routes);
      var server = HttpServer.create().host("127.0.0.1").port(0).handle((request, response) -> {
        requests.add(new WeakReference<>(request));
        request.withConnection(connection -> connections.add(connection.channel()));
        return AccessControl.open().guard(request, response, routes);
      }).bindNow();
      var feed = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v1/feeds/nothing")).build();

      for (var each = 0; each < REQUESTS; each++) {
        assertThat(http.send(feed, BodyHandlers.ofString()).statusCode()).isEqualTo(404);
      }

      assertThat(connections).hasSize(1);
      await().untilAsserted(() -> {
        System.gc();
        assertThat(requests).hasSize(REQUESTS).filteredOn(each -> each.get() != null).hasSizeLessThanOrEqualTo(1);
      });
      server.disposeNow();
    }
  }
}
