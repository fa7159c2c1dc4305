package io.tidemark.http.server;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.InvalidParameterException;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * Routes of the market data interface under a prefix, such as {@code /api/v3} or {@code /sources/main/api/v3}, for any
 * HTTP server. They accept every key.
 */
public record MarketRoutes(String prefix, QueryResponder responder, InstantSource clock)
    implements BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {
  public static final String PREFIX = "/api/v3";
  public static final String KEY_HEADER = "x-cg-demo-api-key";

  /** Path of the on-chain operations, after the prefix. */
  public static final String ON_CHAIN = "/onchain";

  /** Last page of a list of pools that the service answers without a paid plan. Pages of tickers are not limited. */
  public static final int LAST_PAGE_OF_POOLS = 10;

  private static final Logger LOG = LoggerFactory.getLogger(MarketRoutes.class);
  private static final int MIN_COMPRESSED_BYTES = 1_000;
  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;
  private static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");

  @Override
  public Publisher<Void> apply(HttpServerRequest request, HttpServerResponse response) {
    return reply(request).flatMap(reply -> send(reply, request, response));
  }

  /** Adds these routes to a server. */
  public void addTo(HttpServerRoutes routes) {
    routes.route(request -> request.uri().startsWith(prefix + "/"), this);
  }

  /**
   * Answers a request under the prefix that belongs to none of the 13 operations.
   *
   * @param resource query for the resource that the request is about, whose form errors have
   * @param body JSON of the response; a {@link Failure} becomes an error in the service's shape
   */
  public Mono<Void> answer(
      HttpServerRequest request, HttpServerResponse response, Query<?> resource, Mono<byte[]> body) {
    return body.map(json -> HttpReply.of(OK, HttpReply.JSON, json, clock.instant()))
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReplies.of(resource, failure, clock.instant())))
        .onErrorResume(e -> Mono.just(unexpected(request, e)))
        .flatMap(reply -> send(reply, request, response));
  }

  /**
   * Refuses a request before it reaches a route, with an error in the service's shape.
   *
   * @param status 401 for a bad key, 429 for too many calls, or the status of another error
   * @param retryAfter how long to wait before a retry; used only with status 429
   */
  public static Mono<Void> refuse(
      HttpServerResponse response, int status, String message, Duration retryAfter, Instant now) {
    var reply = switch (status) {
      case 401 -> FailureReplies.badKey(message, now);
      case 429 -> FailureReplies.rateLimited(retryAfter, now);
      default -> FailureReplies.error(false, status, message, now);
    };
    addHeaders(reply, now, response.status(status));
    return send(reply.content(), response);
  }

  /** Returns the response to a request under the prefix. */
  public Mono<HttpReply> reply(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      return Mono.just(FailureReplies.error(false, 405, "Method not allowed", clock.instant()));
    }
    return Mono.defer(() -> RequestTarget.of(request.uri(), prefix).reply(responder, clock))
        .onErrorResume(e -> Mono.just(unexpected(request, e)));
  }

  /** Logs a programming error, and returns the response to the request that failed with it. */
  public HttpReply unexpected(HttpServerRequest request, Throwable e) {
    LOG.error("request for {} failed with a programming error; responding with status 500", request.path(), e);
    return FailureReplies.serverError(clock.instant());
  }

  /** Sends a response, or 304 if the client has its body already. */
  public Mono<Void> send(HttpReply reply, HttpServerRequest request, HttpServerResponse response) {
    var now = clock.instant();
    addHeaders(reply, now, response.status(reply.status()));
    if (reply.status() == OK) {
      var entityTag = reply.entityTag();
      response.responseHeaders().set(HttpHeaderNames.ETAG, entityTag);
      var ifNoneMatch = request.requestHeaders().get(HttpHeaderNames.IF_NONE_MATCH);
      if (ifNoneMatch != null && isNamed(entityTag, ifNoneMatch)) {
        return response.status(NOT_MODIFIED).send();
      }
    }
    if (reply.content().length < MIN_COMPRESSED_BYTES || !HttpReply.acceptsGzip(request)) {
      return send(reply.content(), response);
    }
    response.responseHeaders().set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
    return send(HttpReply.gzip(reply.content()), response);
  }

  private static Mono<Void> send(byte[] body, HttpServerResponse response) {
    response.responseHeaders().set(HttpHeaderNames.CONTENT_LENGTH, String.valueOf(body.length));
    return response.sendObject(Unpooled.wrappedBuffer(body)).then();
  }

  /** {@code Age} is chosen so that Date - Age is the second at which the content was current. */
  private static void addHeaders(HttpReply reply, Instant now, HttpServerResponse response) {
    var age = now.getEpochSecond() - reply.asOf().getEpochSecond();
    var headers = response.responseHeaders()
        .set(HttpHeaderNames.CONTENT_TYPE, reply.contentType())
        .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING)
        .set(REQUEST_ID, reply.id())
        .set(HttpHeaderNames.DATE, DateFormatter.format(Date.from(now)))
        .set(HttpHeaderNames.AGE, String.valueOf(Math.max(0, age)));
    if (reply.maxAge() != null) {
      headers.set(HttpHeaderNames.CACHE_CONTROL, "public, max-age=" + reply.maxAge().toSeconds());
    }
    reply.headers().forEach(headers::set);
  }

  /** Returns whether the header If-None-Match contains {@code *} or the given tag, in its weak or strong form. */
  public static boolean isNamed(String tag, String ifNoneMatch) {
    return Stream.of(ifNoneMatch.split(",", 0))
        .map(String::strip)
        .anyMatch(each -> each.equals("*") || each.equals(tag) || ("W/" + each).equals(tag));
  }

  /** @param path relative to the on-chain path or to the prefix; empty if the request is not under the prefix */
  private record RequestTarget(String path, boolean onChain, String rawQuery) {
    /** The status for a missing required parameter of an operation that is not on-chain. */
    static final int MISSING_PARAMETER = 422;

    static RequestTarget of(String uri, String prefix) {
      var parts = uri.split("\\?", 2);
      var query = parts.length < 2 ? "" : parts[1];
      var relative = parts[0].startsWith(prefix + "/") ? parts[0].substring(prefix.length()) : "";
      return relative.startsWith(ON_CHAIN + "/")
          ? new RequestTarget(relative.substring(ON_CHAIN.length()), true, query)
          : new RequestTarget(relative, false, query);
    }

    Mono<HttpReply> reply(QueryResponder responder, InstantSource clock) {
      var now = clock.instant();
      try {
        var query = query();
        if (query == null) {
          return Mono
              .just(FailureReplies.error(onChain, 404, "Incorrect path. The interface has no such operation.", now));
        }
        if (onChain && query instanceof Query.Paged<?> paged && paged.page() > LAST_PAGE_OF_POOLS) {
          return Mono.just(FailureReplies.error(true, 401, "Your request exceeds the allowed max number for page ("
              + LAST_PAGE_OF_POOLS + "). Upgrade to Analyst plan or above.", now));
        }
        return responder.respond(query);
      } catch (InvalidParameterException e) {
        int status = e.isMissing() && !onChain ? MISSING_PARAMETER : 400;
        return Mono.just(FailureReplies.error(onChain, status, String.valueOf(e.getMessage()), now));
      } catch (IllegalArgumentException e) {
        return Mono.just(FailureReplies.error(onChain, 400, String.valueOf(e.getMessage()), now));
      }
    }

    private @Nullable Query<?> query() {
      for (var endpoint : Endpoints.ALL) {
        var query = endpoint.onChain() == onChain ? endpoint.parse(path, rawQuery) : null;
        if (query != null) {
          return query;
        }
      }
      return null;
    }
  }
}
