package io.tidemark.serve.web;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.cookie.CookieHeaderNames;
import io.netty.handler.codec.http.cookie.DefaultCookie;
import io.tidemark.http.server.ClientAddress;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.serve.access.Sessions;
import io.tidemark.serve.access.Sessions.Session;
import io.tidemark.serve.feed.FeedRefusal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * The login of browsers. {@code POST /v1/login} exchanges a key for a session cookie that scripts cannot read. {@code
 * POST /v1/logout} removes the cookie from the browser. {@code GET /v1/me} returns the caller's name and rights.
 */
public record LoginRoutes(AccessControl access) implements Consumer<HttpServerRoutes> {

  private static final int MAX_BODY_BYTES = 4_096;

  static final String ME = "/v1/me";

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .post(AccessControl.LOGIN, this::login)
        .post(AccessControl.LOGOUT, this::logout)
        .get(ME, this::me);
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record LoginKey(@Nullable String key) {}

  /** A caller without a key. */
  private record AnonymousCaller(@Nullable String name, List<String> rights, boolean hasKeys) {}

  /** A caller with a key. {@code until} is the end of the session, or null if the request itself contains the key. */
  private record KnownCaller(
      String name, List<String> rights, boolean hasKeys, int perMinute, @Nullable String until) {

    static KnownCaller of(AccessKey key, @Nullable Session session) {
      return new KnownCaller(key.name(), wire(key.rights()), true, key.perMinute(),
          session == null ? null : session.until().toString());
    }
  }

  private Mono<Void> login(HttpServerRequest request, HttpServerResponse response) {
    if (AccessControl.isForged(request)) {
      return AccessControl.refuse(response, 403, "a browser may log in from the page of this server only");
    }
    if (!JsonBody.isJson(request)) {
      return AccessControl.refuse(response, 415, "expected application/json: {\"key\": \"...\"}");
    }
    var wait = access.failures().untilNext(ClientAddress.of(request.remoteAddress()));
    return wait.isZero()
        ? JsonBody.read(request, LoginKey.class, MAX_BODY_BYTES)
            .flatMap(body -> login(body.key(), request, response))
            .onErrorResume(e -> e instanceof FeedRefusal refusal && refusal.status() == 400,
                e -> login(null, request, response))
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
    return AccessControl.send(response, 200, JsonBody.MEDIA_TYPE, JsonBody.write(KnownCaller.of(key, session)));
  }

  private static Mono<Void> tooMany(HttpServerResponse response, Duration wait) {
    AccessControl.addRetryAfter(response, wait);
    return AccessControl.refuse(response, 429, "too many wrong keys from this address; try again later");
  }

  private Mono<Void> logout(HttpServerRequest request, HttpServerResponse response) {
    return AccessControl.isForged(request)
        ? AccessControl.refuse(response, 403, "a browser may log out from the page of this server only")
        : response.addCookie(cookie(request, "", Duration.ZERO))
            .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
            .status(204)
            .send();
  }

  private Mono<Void> me(HttpServerRequest request, HttpServerResponse response) {
    var caller = access.caller(request);
    var key = caller.key();
    return AccessControl.send(response, 200, JsonBody.MEDIA_TYPE, JsonBody.write(key == null
        ? new AnonymousCaller(null, wire(Set.of(AccessRight.READ)), !access.keys().isEmpty())
        : KnownCaller.of(key, caller.session())));
  }

  private static List<String> wire(Set<AccessRight> rights) {
    return Arrays.stream(AccessRight.values()).filter(rights::contains).map(AccessRight::wire).toList();
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
}
