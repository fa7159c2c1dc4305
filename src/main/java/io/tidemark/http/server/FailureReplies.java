package io.tidemark.http.server;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.JsonObject;
import io.tidemark.http.wire.JsonValue;
import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Failures in the service's own shapes, of which it has many. */
final class FailureReplies {
  private static final String PAGE = "<!DOCTYPE html>\n<html><head><title>Access denied</title></head>"
      + "<body><h1>Error 1020</h1><p>Access denied. The owner of this website restricts access.</p></body></html>\n";

  private FailureReplies() {}

  static HttpReply of(Query<?> query, Failure failure, Instant now) {
    return switch (failure) {
      case Failure.Unreachable none -> reply(502, "text/plain", "", now);
      case Failure.RateLimited limited -> limited(limited.retryAfter(), now);
      case Failure.CreditsExhausted spent ->
          json(429, status(10006, "You've reached the calls limit of this month."), now);
      case Failure.BadKey bad -> badKey("Invalid API Key.", now);
      case Failure.NotInPlan beyond -> notInPlan(query, words(beyond), now);
      case Failure.NotFound unknown -> notFound(isOnChain(query), words(unknown), now);
      case Failure.BadRequest bad -> error(isOnChain(query), 400, words(bad), now);
      case Failure.Blocked blocked -> reply(403, "text/html; charset=utf-8", PAGE, now);
      case Failure.ServerError trouble -> serverError(now);
      case Failure.Unreadable broken -> broken(broken, now);
    };
  }

  static HttpReply badKey(String message, Instant now) {
    var body = status(10002, message);
    body.object("status").put("timestamp", JsonValue.string(now.toString()));
    return json(401, body, now);
  }

  static HttpReply notFound(boolean onChain, String message, Instant now) {
    return error(onChain, 404, message, now);
  }

  /** A refusal with a reason, in the shape of on-chain operations or of the others. */
  static HttpReply error(boolean onChain, int status, String message, Instant now) {
    if (!onChain) {
      return json(status, JsonObject.ordered().put("error", JsonValue.string(message)), now);
    }
    var id = UUID.randomUUID().toString();
    var error = JsonObject.ordered()
        .put("status", JsonValue.string(String.valueOf(status)))
        .put("title", JsonValue.string(message));
    var body = JsonObject.ordered()
        .put("errors", JsonValue.list(List.of(error)))
        .put("meta", JsonObject.ordered().put("ref_id", JsonValue.string(id)));
    return json(id, status, body, now);
  }

  static HttpReply serverError(Instant now) {
    var body = JsonObject.ordered()
        .put("status", new JsonValue.JsonText("500"))
        .put("error", JsonValue.string("Internal Server Error"));
    return json(500, body, now);
  }

  private static HttpReply limited(@Nullable Duration retryAfter, Instant now) {
    var reply = json(429, status(429, "You've exceeded the Rate Limit."), now);
    return retryAfter == null ? reply : new HttpReply(reply.id(), 429, reply.contentType(), reply.body(),
        Map.of("Retry-After", String.valueOf(retryAfter.toSeconds())), now, null);
  }

  /** History has a shape of its own: the same status, one level deeper. */
  private static HttpReply notInPlan(Query<?> query, String message, Instant now) {
    if (query.operation() == Operation.COIN_HISTORY) {
      return json(401, JsonObject.ordered().put("error", status(10012, message)), now);
    }
    return isOnChain(query) ? error(true, 401, message, now) : json(401, status(10005, message), now);
  }

  private static HttpReply broken(Failure.Unreadable broken, Instant now) {
    var type = broken.headers().getOrDefault("content-type", HttpReply.JSON);
    return new HttpReply(UUID.randomUUID().toString(), broken.status(), type, ByteBuffer.wrap(broken.raw()), Map.of(),
        now,
        null);
  }

  private static JsonObject status(int code, String message) {
    return JsonObject.ordered().put("status", JsonObject.ordered()
        .put("error_code", new JsonValue.JsonText(String.valueOf(code)))
        .put("error_message", JsonValue.string(message)));
  }

  private static HttpReply json(int status, JsonObject body, Instant now) {
    return json(UUID.randomUUID().toString(), status, body, now);
  }

  private static HttpReply json(String id, int status, JsonObject body, Instant now) {
    var bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    return new HttpReply(id, status, HttpReply.JSON, ByteBuffer.wrap(bytes), Map.of(), now, null);
  }

  private static HttpReply reply(int status, String type, String body, Instant now) {
    return new HttpReply(UUID.randomUUID().toString(), status, type, StandardCharsets.UTF_8.encode(body), Map.of(), now,
        null);
  }

  private static String words(Failure failure) {
    return String.valueOf(failure.getMessage());
  }

  private static <A> boolean isOnChain(Query<A> query) {
    return Endpoints.<A, Query<A>>of(query).onChain();
  }
}
