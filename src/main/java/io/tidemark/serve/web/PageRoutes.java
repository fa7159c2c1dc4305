package io.tidemark.serve.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * Routes of the page at {@code /}, and of its scripts and styles under {@code /page/}. Serves only files that are part
 * of the program. A browser asks each time whether a file has changed, and gets a 304 if it has not.
 *
 * <p>The page consists of plain ES modules, without a framework, because a table that changes 500 times a second
 * needs rows that are drawn once a frame. It has no build, because a build would need Node on every machine. Its
 * scripts write text as text nodes only, so a hostile name cannot become markup. In return, there are no ready-made
 * components, and the scripts have no types.
 */
public final class PageRoutes implements Consumer<HttpServerRoutes> {

  static final List<String> FILES = List.of("index.html", "page.css", "icon.svg", "theme.js", "app.js", "candles.js",
      "change.js", "commands.js", "condition.js", "dom.js", "feed.js", "hub.js", "networks.js", "networks.json",
      "notices.js", "pages.js",
      "price-alert.js", "recent-changes.js", "sparklines.js", "storage.js", "stream.js", "table.js", "text.js",
      "watchlist.js", "worker.js", "views/alert-card.js", "views/alerts.js", "views/candle-chart.js",
      "views/chart.js", "views/coin-rows.js", "views/coin.js", "views/coins.js", "views/coverage.js",
      "views/details.js", "views/dominance.js", "views/find.js", "views/holders.js", "views/launches.js",
      "views/lines-chart.js", "views/listing.js", "views/live-lines.js", "views/live.js", "views/login.js",
      "views/mine.js", "views/movers.js", "views/new-pools.js", "views/overview.js", "views/pool-changes.js",
      "views/pool-filters.js", "views/pool-tables.js", "views/pool.js", "views/pools.js", "views/treasuries.js",
      "views/trending.js", "vendor/lightweight-charts.js", "vendor/lightweight-charts.LICENSE.txt");

  private static final String INDEX = "index.html";

  /** The known networks, which notifications also read. */
  private static final String NETWORKS = "networks.json";
  private static final Map<String, String> TYPES = Map.of(
      "html", "text/html; charset=utf-8", "css", "text/css; charset=utf-8", "js", "text/javascript; charset=utf-8",
      "json", "application/json; charset=utf-8", "svg", "image/svg+xml", "txt", "text/plain; charset=utf-8");

  private static StaticContent read(String name) {
    var file = name.equals(NETWORKS) ? "/io/tidemark/market/" + name : "page/" + name;
    try (var stream = PageRoutes.class.getResourceAsStream(file)) {
      if (stream == null) {
        throw new IllegalStateException("the program's file " + file + " is missing; build the program again");
      }
      return StaticContent.of(
          TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream"),
          stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    add(routes, "/", read(INDEX));
    FILES.stream().filter(name -> !name.equals(INDEX)).forEach(name -> add(routes, "/page/" + name, read(name)));
  }

  private static void add(HttpServerRoutes routes, String path, StaticContent content) {
    routes.get(path, content::send).head(path, content::send);
  }
}
