package io.tidemark.web;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sets the headers of each answer with which browsers protect it, also of answers that no route gave: a full head, too
 * many connections. Headers that a route has set stay.
 */
@ChannelHandler.Sharable
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its connection
final class SecurityHeaders extends ChannelOutboundHandlerAdapter {

  private static final String NOTHING =
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
  private static final long YEAR_SECONDS = 31_536_000;

  private final Map<String, String> headers = new LinkedHashMap<>();
  private final boolean isPrivate;

  /**
   * @param isSecure whether the listener has TLS
   * @param isPrivate whether answers need a key: no cache may then serve them to others
   */
  SecurityHeaders(boolean isSecure, boolean isPrivate) {
    this.isPrivate = isPrivate;
    headers.put("Content-Security-Policy", NOTHING);
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("X-Frame-Options", "DENY");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Cross-Origin-Opener-Policy", "same-origin");
    headers.put("Cross-Origin-Embedder-Policy", "require-corp");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    if (isSecure) {
      headers.put("Strict-Transport-Security", "max-age=" + YEAR_SECONDS);
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
}
