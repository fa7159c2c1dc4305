package io.tidemark.http;

import java.net.URI;
import java.time.InstantSource;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.reactivestreams.Publisher;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** The interface served under a prefix, {@code /api/v3} or {@code /sources/main/api/v3}; mounted on any HTTP server. */
public final class Routes implements BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {
  public static final String PREFIX = "/api/v3";
  public static final String KEY_HEADER = "x-cg-demo-api-key";

  private final String prefix;

  /** @param admits whether a key may ask; it is the empty string where none was sent */
  public Routes(
      String prefix,
      String keyHeader,
      Predicate<String> admits,
      Replies replies,
      Journal journal,
      InstantSource clock) {
    this.prefix = prefix;
  }

  /** The base_url of clients where a server at this address and port serves these routes. */
  URI baseUrl(String address, int port) {
    return URI.create("http://" + (address.contains(":") ? "[" + address + "]" : address) + ":" + port + prefix);
  }

  @Override
  public Publisher<Void> apply(HttpServerRequest request, HttpServerResponse response) {
    throw new UnsupportedOperationException();
  }
}
