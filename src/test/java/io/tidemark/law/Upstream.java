package io.tidemark.law;

import io.netty.buffer.Unpooled;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** An HTTP server that answers every query with the pages that a test sets. */
final class Upstream implements AutoCloseable {
  private static final Pattern PAGE = Pattern.compile("[?&]page=(\\d+)");
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private static final int LONGEST_QUESTION = 1 << 20;

  private final DisposableServer server;
  private volatile List<Response> pages = List.of();
  private volatile Instant now = Instant.EPOCH;

  Upstream() {
    server = HttpServer.create().host("127.0.0.1").port(0)
        .httpRequestDecoder(spec -> spec.maxInitialLineLength(LONGEST_QUESTION))
        .handle(this::answer).bindNow();
  }

  /** The response to the request for one page. */
  static final class Response {
    private final int status;
    private final byte[] body;
    private final Map<String, String> headers;

    private Response(int status, byte[] body, Map<String, String> headers) {
      this.status = status;
      this.body = body;
      this.headers = headers;
    }

    static Response of(byte[] body) {
      return new Response(200, body, Map.of());
    }

    static Response of(String body) {
      return of(body.getBytes(StandardCharsets.UTF_8));
    }

    static Response status(int status, String body) {
      return new Response(status, body.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    Response with(String header, String value) {
      var all = new TreeMap<>(headers);
      all.put(header, value);
      return new Response(status, body, all);
    }
  }

  URI baseUrl() {
    return URI.create("http://127.0.0.1:" + server.port() + "/api/v3");
  }

  /** Sets the responses to the following requests, by page number. */
  void show(Response... responses) {
    pages = List.of(responses);
  }

  void show(byte[] body) {
    show(Response.of(body));
  }

  /** Sets the service's clock, which dates its answers. */
  void clock(Instant instant) {
    now = instant;
  }

  @Override
  public void close() {
    server.disposeNow(Duration.ofSeconds(3));
  }

  private Mono<Void> answer(HttpServerRequest request, HttpServerResponse response) {
    Matcher page = PAGE.matcher(request.uri());
    Response next = pages.get(page.find() ? Integer.parseInt(page.group(1)) - 1 : 0);
    response.status(next.status).header("Content-Type", "application/json; charset=utf-8")
        .header("Date", DATE.format(now)).header("Content-Length", Integer.toString(next.body.length));
    next.headers.forEach(response::header);
    return response.sendObject(Unpooled.wrappedBuffer(next.body)).then();
  }
}
