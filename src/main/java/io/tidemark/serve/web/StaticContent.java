package io.tidemark.serve.web;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.tidemark.event.Sha256;
import io.tidemark.http.server.HttpReply;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Content that does not change while the program runs: a file of the page, or an API document. A client asks each time
 * whether the content has changed, and gets a 304 if it has not.
 *
 * @param tag ETag of the bytes
 * @param zipped the bytes compressed with gzip
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StaticContent(String type, String tag, byte[] bytes, byte[] zipped) {

  /**
   * Allows scripts and styles only from this server, and requests only to this server, so that text injected into the
   * page can neither run nor send data.
   */
  static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
      + "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  static StaticContent of(String type, byte[] bytes) {
    var tag = "W/\"" + Sha256.hex(bytes).substring(0, 24) + '"'; // weak, since the bytes differ by encoding
    return new StaticContent(type, tag, bytes, HttpReply.gzip(bytes));
  }

  Publisher<Void> send(HttpServerRequest request, HttpServerResponse response) {
    response
        .header(HttpHeaderNames.ETAG, tag)
        .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_CACHE)
        .header(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING)
        .header("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    var known = request.requestHeaders().get(HttpHeaderNames.IF_NONE_MATCH, "");
    if (known.contains(tag)) {
      return response.status(304).send();
    }
    response.header(HttpHeaderNames.CONTENT_TYPE, type);
    if (HttpReply.acceptsGzip(request)) {
      return response.header(HttpHeaderNames.CONTENT_ENCODING, "gzip").sendByteArray(Mono.just(zipped));
    }
    return response.sendByteArray(Mono.just(bytes));
  }
}
