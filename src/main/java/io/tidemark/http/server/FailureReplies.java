package io.tidemark.http.server;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.ErrorBody;
import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Conversions of failures to error responses, in the various shapes that the service uses. */
public final class FailureReplies {
  private static final String BLOCKED_PAGE = "<!DOCTYPE html>\n<html><head><title>Access denied</title></head>"
      + "<body><h1>Error 1020</h1><p>Access denied. The owner of this website restricts access.</p></body></html>\n";
  private static final int BAD_KEY = 10002;
  private static final int NOT_IN_PLAN = 10005;
  private static final int CREDITS_EXHAUSTED = 10006;
  private static final int HISTORY_NOT_IN_PLAN = 10012;

  private FailureReplies() {}

  public static HttpReply of(Query<?> query, Failure failure, Instant now) {
    var message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case Failure.Unreachable none -> HttpReply.of(502, "text/plain", new byte[0], now);
      case Failure.RateLimited limited -> rateLimited(limited.retryAfter(), now);
      case Failure.CreditsExhausted exhausted -> json(
          429, new ErrorBody(CREDITS_EXHAUSTED, "You've reached the calls limit of this month.").asStatus(), now);
      case Failure.BadKey bad -> badKey("Invalid API Key.", now);
      case Failure.NotInPlan beyond -> notInPlan(query, message, now);
      case Failure.NotFound unknown -> error(isOnChain(query), 404, message, now);
      case Failure.BadRequest bad -> error(isOnChain(query), 400, message, now);
      case Failure.Blocked blocked -> HttpReply.of(403, "text/html; charset=utf-8",
          BLOCKED_PAGE.getBytes(StandardCharsets.UTF_8), now);
      case Failure.ServerError error -> error.retryAfter() == null
          ? serverError(now)
          : retryAfter(json(503, new ErrorBody(503, message).asText(), now), error.retryAfter());
      case Failure.Unreadable unreadable -> unreadable(unreadable, now);
    };
  }

  /** Returns the error response for a key that is missing or not accepted. */
  public static HttpReply badKey(String message, Instant now) {
    return json(401, new ErrorBody(BAD_KEY, message).asStatus(now), now);
  }

  /** The service uses one shape for on-chain operations, and another shape for all other operations. */
  static HttpReply error(boolean onChain, int status, String message, Instant now) {
    if (!onChain) {
      return json(status, new ErrorBody(0, message).asText(), now);
    }
    var id = UUID.randomUUID().toString();
    return new HttpReply(id, status, HttpReply.JSON, new ErrorBody(status, message).asList(id), Map.of(), now, null);
  }

  static HttpReply serverError(Instant now) {
    return json(500, new ErrorBody(500, "Internal Server Error").asText(), now);
  }

  static HttpReply rateLimited(@Nullable Duration retryAfter, Instant now) {
    var reply = json(429, new ErrorBody(429, "You've exceeded the Rate Limit.").asStatus(), now);
    return retryAfter == null ? reply : retryAfter(reply, retryAfter);
  }

  private static HttpReply retryAfter(HttpReply reply, Duration pause) {
    return new HttpReply(reply.id(), reply.status(), reply.contentType(), reply.content(),
        Map.of("Retry-After", String.valueOf(pause.toSeconds())), reply.asOf(), null);
  }

  private static HttpReply notInPlan(Query<?> query, String message, Instant now) {
    if (query.operation() == Operation.COIN_HISTORY) {
      return json(401, new ErrorBody(HISTORY_NOT_IN_PLAN, message).asNestedStatus(), now);
    }
    return isOnChain(query)
        ? error(true, 401, message, now)
        : json(401, new ErrorBody(NOT_IN_PLAN, message).asStatus(), now);
  }

  private static HttpReply unreadable(Failure.Unreadable unreadable, Instant now) {
    var type = unreadable.headers().getOrDefault("content-type", HttpReply.JSON);
    return HttpReply.of(unreadable.status(), type, unreadable.raw(), now);
  }

  private static HttpReply json(int status, byte[] body, Instant now) {
    return HttpReply.of(status, HttpReply.JSON, body, now);
  }

  private static <A> boolean isOnChain(Query<A> query) {
    return Endpoints.<A, Query<A>>of(query).onChain();
  }
}
