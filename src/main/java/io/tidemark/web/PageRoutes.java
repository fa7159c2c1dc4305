package io.tidemark.web;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * The page at {@code /}, and its scripts and styles under {@code /page/}: files of the program, and no others. A browser
 * asks each time whether a file has changed, and gets a 304 where it has not.
 */
public final class PageRoutes implements Consumer<HttpServerRoutes> {

  /** Scripts, styles and requests of this server only: what a hostile name could inject has nowhere to run or to go. */
  static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
      + "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  static final List<String> FILES = List.of("index.html", "page.css", "icon.svg", "theme.js", "app.js", "candles.js",
      "change.js", "condition.js", "dom.js", "feed.js", "text.js", "views/alerts.js", "views/chart.js", "views/coin.js",
      "views/coins.js", "views/coverage.js", "views/details.js", "views/dominance.js", "views/find.js",
      "views/launches.js", "views/live.js", "views/login.js", "views/movers.js", "views/new-pools.js", "views/pool.js",
      "views/pools.js", "views/treasuries.js", "views/trending.js", "vendor/lightweight-charts.js",
      "vendor/lightweight-charts.LICENSE.txt");

  private static final String INDEX = "index.html";
  private static final Map<String, String> TYPES = Map.of(
      "html", "text/html; charset=utf-8", "css", "text/css; charset=utf-8", "js", "text/javascript; charset=utf-8",
      "svg", "image/svg+xml", "txt", "text/plain; charset=utf-8");

  /**
   * A file of the page.
   *
   * @param tag of its bytes, as an ETag
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record PageFile(String type, String tag, byte[] bytes, byte[] zipped) {

    static PageFile read(String name) {
      try (var stream = PageRoutes.class.getResourceAsStream("page/" + name)) {
        if (stream == null) {
          throw new IllegalStateException("the program lacks its file web/page/" + name + "; build it again");
        }
        var bytes = stream.readAllBytes();
        return new PageFile(type(name), tag(bytes), bytes, zip(bytes));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String type(String name) {
      return TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
    }

    /** Weak: the bytes differ with the encoding. */
    private static String tag(byte[] bytes) {
      try {
        var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        return "W/\"" + HexFormat.of().formatHex(Arrays.copyOf(digest, 12)) + '"';
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("each Java platform has SHA-256", e);
      }
    }

    private static byte[] zip(byte[] bytes) throws IOException {
      var zipped = new ByteArrayOutputStream();
      try (var stream = new GZIPOutputStream(zipped)) {
        stream.write(bytes);
      }
      return zipped.toByteArray();
    }

    Publisher<Void> send(HttpServerRequest request, HttpServerResponse response) {
      response
          .header(HttpHeaderNames.ETAG, tag)
          .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE)
          .header(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING)
          .header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
          .header("X-Content-Type-Options", "nosniff")
          .header("Referrer-Policy", "no-referrer");
      var known = request.requestHeaders().get(HttpHeaderNames.IF_NONE_MATCH, "");
      if (known.contains(tag)) {
        return response.status(304).send();
      }
      response.header(HttpHeaderNames.CONTENT_TYPE, type);
      if (request.requestHeaders().get(HttpHeaderNames.ACCEPT_ENCODING, "").contains("gzip")) {
        return response.header(HttpHeaderNames.CONTENT_ENCODING, "gzip").sendByteArray(Mono.just(zipped));
      }
      return response.sendByteArray(Mono.just(bytes));
    }
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes.get("/", PageFile.read(INDEX)::send);
    FILES.stream().filter(name -> !name.equals(INDEX))
        .forEach(name -> routes.get("/page/" + name, PageFile.read(name)::send));
  }
}
