package io.tidemark.serve.web;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.util.AsciiString;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A channel handler that sets the security headers of each response, even of responses that no route makes, such as
 * those for a too large request head or for too many connections. Does not replace security headers that a route has
 * set.
 */
@ChannelHandler.Sharable
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its connection
final class SecurityHeaders extends ChannelOutboundHandlerAdapter {

  private static final String NOTHING =
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
  private static final long YEAR_SECONDS = 31_536_000;

  private final Map<AsciiString, AsciiString> headers = new LinkedHashMap<>();
  private final boolean isPrivate;

  /**
   * @param isSecure whether the listener has TLS
   * @param isPrivate whether reading needs a key, in which case shared caches must not store responses
   */
  SecurityHeaders(boolean isSecure, boolean isPrivate) {
    this.isPrivate = isPrivate;
    add("Content-Security-Policy", NOTHING);
    add("X-Content-Type-Options", "nosniff");
    add("X-Frame-Options", "DENY");
    add("Referrer-Policy", "no-referrer");
    add("Cross-Origin-Opener-Policy", "same-origin");
    add("Cross-Origin-Embedder-Policy", "require-corp");
    add("Cross-Origin-Resource-Policy", "same-origin");
    if (isSecure) {
      add("Strict-Transport-Security", "max-age=" + YEAR_SECONDS);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof HttpResponse response) {
      var set = response.headers();
      headers.forEach((name, value) -> {
        if (!set.contains(name)) {
          set.set(name, value);
        }
      });
      var caching = set.get(HttpHeaderNames.CACHE_CONTROL);
      if (isPrivate && caching != null && caching.startsWith("public")) {
        set.set(HttpHeaderNames.CACHE_CONTROL, caching.replaceFirst("public", "private"));
      }
    }
    context.write(message, promise);
  }

  private void add(String name, String value) {
    headers.put(AsciiString.cached(name), AsciiString.cached(value));
  }
}
