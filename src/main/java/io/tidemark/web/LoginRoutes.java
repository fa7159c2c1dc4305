package io.tidemark.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.cookie.CookieHeaderNames;
import io.netty.handler.codec.http.cookie.DefaultCookie;
import io.tidemark.access.AccessKey;
import io.tidemark.access.AccessRight;
import io.tidemark.access.Sessions;
import io.tidemark.access.Sessions.Session;
import io.tidemark.web.RequestBody.BodyTooLargeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * {@code POST /v1/login} swaps a key for the cookie of a session, which no script can read; {@code POST /v1/logout} takes
 * it back from the browser; {@code GET /v1/me} says who asks and what is allowed.
 */
public record LoginRoutes(AccessControl access) implements Consumer<HttpServerRoutes> {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MEDIA_TYPE = "application/json";
  private static final int MAX_BODY_BYTES = 4_096;

  static final String ME = "/v1/me";

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .post(AccessControl.LOGIN, this::login)
        .post(AccessControl.LOGOUT, this::logout)
        .get(ME, this::me);
  }

  /** The JSON Schema of who asks and what is allowed. */
  static ObjectNode callerSchema() {
    var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    var properties = schema.putObject("properties");
    properties.putObject("name").putArray("type").add("string").add("null");
    var rights = properties.putObject("rights").put("type", "array").putObject("items").putArray("enum");
    Arrays.stream(AccessRight.values()).map(AccessRight::wire).forEach(rights::add);
    properties.putObject("has_keys").put("type", "boolean").put("description", "Whether this server has keys at all.");
    properties.putObject("per_minute").put("type", "integer").put("description",
        "Requests a minute that the key allows.");
    properties.putObject("until").put("description", "The end of the session; null without one.")
        .put("format", "date-time").putArray("type").add("string").add("null");
    schema.putArray("required").add("name").add("rights").add("has_keys");
    return schema;
  }

  private Mono<Void> login(HttpServerRequest request, HttpServerResponse response) {
    if (isForged(request)) {
      return AccessControl.refuse(response, 403, "a browser may log in from the page of this server only");
    }
    if (!isJson(request)) {
      return AccessControl.refuse(response, 415, "expected application/json: {\"key\": \"...\"}");
    }
    var wait = access.failures().untilNext(AccessControl.address(request));
    return wait.isZero()
        ? RequestBody.text(request, MAX_BODY_BYTES)
            .defaultIfEmpty("")
            .flatMap(body -> login(key(body), request, response))
            .onErrorResume(BodyTooLargeException.class,
                e -> AccessControl.refuse(response, 413, String.valueOf(e.getMessage())))
        : tooMany(response, wait);
  }

  private Mono<Void> login(@Nullable String text, HttpServerRequest request, HttpServerResponse response) {
    if (text == null) {
      return AccessControl.refuse(response, 400, "expected {\"key\": \"...\"}");
    }
    var key = access.keys().find(text);
    if (key == null) {
      var wait = access.countFailure(request);
      return wait.isZero() ? AccessControl.refuse(response, 401, "this key is not known") : tooMany(response, wait);
    }
    var session = access.sessions().begin(key);
    response.addCookie(cookie(request, access.sessions().text(session), Sessions.LIFE));
    return AccessControl.send(response, 200, MEDIA_TYPE, json(key, session).toString());
  }

  private static Mono<Void> tooMany(HttpServerResponse response, Duration wait) {
    response.header(HttpHeaderNames.RETRY_AFTER, Long.toString(Math.ceilDiv(wait.toMillis(), 1000)));
    return AccessControl.refuse(response, 429, "too many wrong keys from this address");
  }

  /** The key in a body; null where it has none. Nothing of a body that cannot be read is repeated. */
  private static @Nullable String key(String body) {
    try {
      var key = JSON.readTree(body).get("key");
      return key != null && key.isTextual() ? key.textValue() : null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private Mono<Void> logout(HttpServerRequest request, HttpServerResponse response) {
    return isForged(request)
        ? AccessControl.refuse(response, 403, "a browser may log out from the page of this server only")
        : response.addCookie(cookie(request, "", Duration.ZERO))
            .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
            .status(204)
            .send();
  }

  private Mono<Void> me(HttpServerRequest request, HttpServerResponse response) {
    var caller = access.caller(request);
    var key = caller.key();
    var json = key == null
        ? json(null, Set.of(AccessRight.READ)).put("has_keys", !access.keys().isEmpty())
        : json(key, caller.session());
    return AccessControl.send(response, 200, MEDIA_TYPE, json.toString());
  }

  private static ObjectNode json(AccessKey key, @Nullable Session session) {
    return json(key.name(), key.rights())
        .put("has_keys", true)
        .put("per_minute", key.perMinute())
        .put("until", session == null ? null : session.until().toString());
  }

  private static ObjectNode json(@Nullable String name, Set<AccessRight> rights) {
    var json = JsonNodeFactory.instance.objectNode().put("name", name);
    var list = json.putArray("rights");
    Arrays.stream(AccessRight.values()).filter(rights::contains).map(AccessRight::wire).forEach(list::add);
    return json;
  }

  private static DefaultCookie cookie(HttpServerRequest request, String value, Duration life) {
    var cookie = new DefaultCookie(AccessControl.cookieName(request), value);
    cookie.setHttpOnly(true);
    cookie.setSameSite(CookieHeaderNames.SameSite.Strict);
    cookie.setSecure(AccessControl.isSecure(request));
    cookie.setPath("/");
    cookie.setMaxAge(life.toSeconds());
    return cookie;
  }

  /** Whether a page of another server makes the browser send it, to log somebody in or out unasked. */
  private static boolean isForged(HttpServerRequest request) {
    return AccessControl.isFromBrowser(request) && !AccessControl.isSameOrigin(request);
  }

  /** No form of a browser can send it, and no script of another server without asking first. */
  static boolean isJson(HttpServerRequest request) {
    var type = request.requestHeaders().get(HttpHeaderNames.CONTENT_TYPE, "");
    return type.split(";", 2)[0].strip().equalsIgnoreCase(MEDIA_TYPE);
  }
}
