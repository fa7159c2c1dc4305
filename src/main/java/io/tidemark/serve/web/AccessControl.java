package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.tidemark.http.server.ClientAddress;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.serve.access.AccessSettings;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import io.tidemark.serve.access.ClientRateLimit;
import io.tidemark.serve.access.Sessions;
import io.tidemark.serve.access.Sessions.Session;
import io.tidemark.serve.feed.FeedRefusal;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * The access control of a listener. Decides, before any route sees a request, whether the key or the browser session
 * sent with the request allows the request. A path that is not listed here as open needs a key, unless anonymous
 * reading is allowed. A method that is not listed here as reading needs the right {@code write}; under {@code
 * /v1/rules} and {@code /v1/watch} it needs {@code configure}. The mirror and the registry change nothing, and need
 * neither.
 *
 * <p>One class decides for all routes, because a check inside each route would be forgotten in one of them. A new
 * route is closed until it is listed here. In return, rights cannot differ by topic or source.
 */
public final class AccessControl {

  static final String LOGIN = "/v1/login";
  static final String LOGOUT = "/v1/logout";

  private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);
  private static final String BEARER = "bearer ";
  private static final int WRONG_KEYS_PER_MINUTE = 10;
  /**
   * Paths that need no key. The page is open because it has the login form, and shows only data that it requests with a
   * key.
   */
  private static final Pattern OPEN = Pattern.compile("/|/page/[^?]*|" + LOGIN + "|" + LOGOUT);
  private static final Pattern MIRROR = Pattern.compile("(?:/sources/[^/]+)?" + MarketRoutes.PREFIX + "/.*");
  private static final Pattern CONFIGURED = Pattern.compile("/v1/(?:rules|watch)(?:/.*)?", Pattern.DOTALL);
  private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final Pattern LOOPBACK_NAME =
      Pattern.compile("(?:localhost|[a-z0-9-]+\\.localhost|127(?:\\.\\d{1,3}){3}|\\[::1])(?::\\d{1,5})?");

  private static final Pattern PORT = Pattern.compile(":(\\d{1,5})$");

  private final AccessSettings settings;
  private final AccessKeys keys;
  private final Sessions sessions;
  private final ClientRateLimit failures;
  private final ClientRateLimit anonymous;
  private final InstantSource clock;
  private final boolean isOpen;

  /**
   * @param key key of the sender; null if neither a known key nor a valid session was sent
   * @param session the valid session whose cookie was sent; null if there is none or the request itself contains a
   *     key
   * @param isWrong whether a wrong key was sent
   */
  record Caller(@Nullable AccessKey key, @Nullable Session session, boolean isWrong) {
    static final Caller NOBODY = new Caller(null, null, false);
    static final Caller WRONG = new Caller(null, null, true);
  }

  public AccessControl(AccessSettings settings, InstantSource clock) {
    this(settings, clock, false);
  }

  private AccessControl(AccessSettings settings, InstantSource clock, boolean isOpen) {
    this.settings = settings;
    this.clock = clock;
    this.isOpen = isOpen;
    this.keys = new AccessKeys(settings.keys(), clock);
    this.sessions = new Sessions(keys, settings.sessionSecret(), clock);
    this.failures = new ClientRateLimit(WRONG_KEYS_PER_MINUTE, clock);
    this.anonymous = new ClientRateLimit(settings.anonymousPerMinute(), clock);
  }

  /**
   * Returns the access control of a listener whose routes are open to all who can reach the listener: health and
   * metrics.
   */
  public static AccessControl open() {
    return new AccessControl(
        new AccessSettings(List.of(), AnonymousAccess.ANYWHERE, null), InstantSource.system(), true);
  }

  /**
   * Returns the access control of a listener on loopback, whose routes are open to requests whose {@code Host} does not
   * name another machine.
   */
  public static AccessControl loopbackOnly() {
    return new AccessControl(AccessSettings.LOCAL, InstantSource.system(), true);
  }

  AccessKeys keys() {
    return keys;
  }

  Sessions sessions() {
    return sessions;
  }

  ClientRateLimit failures() {
    return failures;
  }

  /** Returns whether reading needs a key. */
  boolean needsKey() {
    return !isOpen && settings.needsKey();
  }

  /**
   * Passes a request to the routes, or refuses it. If a route fails with a {@link FeedRefusal}, responds with its
   * status and message. If a route fails otherwise before it has sent headers, and not because the client disconnected,
   * responds with a generic 500 and logs the details.
   */
  Publisher<Void> guard(HttpServerRequest request, HttpServerResponse response,
      BiFunction<? super HttpServerRequest, ? super HttpServerResponse, ? extends Publisher<Void>> routes) {
    return Mono.defer(() -> Mono.from(decide(request, response, routes)))
        .onErrorResume(e -> e instanceof FeedRefusal && !response.hasSentHeaders(), e -> {
          var refusal = (FeedRefusal) e;
          return refuse(
              request, response, refusal.status(), String.valueOf(refusal.getMessage()), refusal.retryAfter());
        })
        .onErrorResume(e -> !response.hasSentHeaders() && !AbortedException.isConnectionReset(e), e -> {
          LOG.error("request for {} failed with a programming error; responding with status 500", path(request), e);
          return refuse(request, response, 500, "internal error; the log of the server has the reason", Duration.ZERO);
        });
  }

  private Publisher<Void> decide(HttpServerRequest request, HttpServerResponse response,
      BiFunction<? super HttpServerRequest, ? super HttpServerResponse, ? extends Publisher<Void>> routes) {
    if (!request.uri().startsWith("/")) { // the routes ignore what precedes the path, which the patterns here do not
      return refuse(request, response, 400, "the request line must have a path that begins with /", Duration.ZERO);
    }
    if (settings.isLocalOnly() && !namesLoopback(request)) {
      return refuse(request, response, 421, "this server answers requests for localhost only. To let others in, "
          + (isOpen ? "send the header Host: localhost, or set management.address to an address that they reach"
              : "either make a key with 'tidemark key new' and set web.anonymous to none, or set web.anonymous to read"),
          Duration.ZERO);
    }
    if (isOpen || OPEN.matcher(path(request)).matches()) {
      return routes.apply(request, response);
    }
    var caller = caller(request);
    if (caller.isWrong()) {
      return refuseWrong(request, response);
    }
    var key = caller.key();
    if (key == null && (changes(request) || needsKey())) {
      return refuse(request, response, 401, missing(request), Duration.ZERO);
    }
    var wait = count(request, key);
    if (!wait.isZero()) {
      return refuse(request, response, 429, "rate limit exceeded (" + (key == null
          ? settings.anonymousPerMinute() + " requests a minute for an address without a key"
          : key.perMinute() + " requests a minute for this key") + "); try again later", wait);
    }
    var problem = key != null && changes(request) ? problemOfChange(request, caller, key) : null;
    return problem == null ? routes.apply(request, response) : refuse(request, response, 403, problem, Duration.ZERO);
  }

  /**
   * Counts a request of a key, or of an address without one. Returns zero if it is within the rate limit, else the time
   * after which to try again.
   */
  Duration count(HttpServerRequest request, @Nullable AccessKey key) {
    return key != null ? keys.count(key)
        : isOpen || settings.isLocalOnly() ? Duration.ZERO
            : anonymous.tryTake(ClientAddress.of(request.remoteAddress()));
  }

  private static String missing(HttpServerRequest request) {
    var header = isMirror(request) ? MarketRoutes.KEY_HEADER + ": KEY, or in " : "";
    return "a key" + (changes(request) ? " with the right to " + rightOfChange(request).wire() : "")
        + " is needed; send it in the header " + header + "Authorization: Bearer KEY";
  }

  private static @Nullable String problemOfChange(HttpServerRequest request, Caller caller, AccessKey key) {
    var right = rightOfChange(request);
    if (!key.allows(right)) {
      return "the key of " + key.name() + " has no right to " + right.wire();
    }
    return caller.session() != null && !isSameOrigin(request)
        ? "a request with a session cookie may change data only if the page of this server sent it"
        : null;
  }

  private Publisher<Void> refuseWrong(HttpServerRequest request, HttpServerResponse response) {
    var wait = countFailure(request);
    return wait.isZero()
        ? refuse(request, response, 401, isMirror(request) ? "Invalid API Key." : "this key is not known",
            Duration.ZERO)
        : refuse(request, response, 429, "too many wrong keys from this address; try again later", wait);
  }

  /**
   * Counts an attempt with a wrong key against the client address of the request. Returns zero if the address is within
   * the limit, else the time until the address may try another key.
   */
  Duration countFailure(HttpServerRequest request) {
    var address = ClientAddress.of(request.remoteAddress());
    var wait = failures.tryTake(address);
    if (wait.isZero()) {
      LOG.info("web: rejected a wrong key from {}", address);
    }
    return wait;
  }

  /**
   * Returns the client to which the use of shared resources is charged: the key of a request or, without a key, the
   * address of its sender.
   */
  String client(HttpServerRequest request) {
    var key = caller(request).key();
    return key == null ? "address " + ClientAddress.of(request.remoteAddress()) : "key " + key.name();
  }

  /**
   * Returns the sender of a request, identified by the key in a header or, without such a key, by the cookie of a
   * session.
   */
  Caller caller(HttpServerRequest request) {
    var sent = sentKey(request);
    if (sent != null) {
      var key = keys.find(sent);
      return key == null ? Caller.WRONG : new Caller(key, null, false);
    }
    var name = cookieName(request);
    return request.allCookies().values().stream()
        .flatMap(List::stream)
        .filter(cookie -> cookie.name().equals(name))
        .map(cookie -> sessions.find(cookie.value()))
        .filter(Objects::nonNull)
        .map(session -> new Caller(session.key(), session, false))
        .findFirst()
        .orElse(Caller.NOBODY);
  }

  /**
   * Returns the key in the headers of a request, or null if there is none. The service's client libraries always send a
   * key in the service's own header; the mirror and the stream ignore that header if no key is needed.
   */
  private @Nullable String sentKey(HttpServerRequest request) {
    var authorization = request.requestHeaders().get(HttpHeaderNames.AUTHORIZATION, "");
    if (authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      return authorization.substring(BEARER.length()).strip();
    }
    var header = isMirror(request) ? MarketRoutes.KEY_HEADER
        : path(request).endsWith(StreamRoutes.PATH) ? StreamRoutes.KEY_HEADER : null;
    return header != null && needsKey() ? request.requestHeaders().get(header) : null;
  }

  /**
   * Returns the name of a session's cookie. Under TLS, the prefix of the name keeps other hosts and paths from setting
   * the cookie. The name ends with the port in the header {@code Host}, if there is one, because browsers send a cookie
   * to all ports of a host.
   */
  static String cookieName(HttpServerRequest request) {
    var port = PORT.matcher(request.requestHeaders().get(HttpHeaderNames.HOST, ""));
    return (isSecure(request) ? "__Host-" : "") + "tidemark-session" + (port.find() ? "-" + port.group(1) : "");
  }

  /** Returns whether the client uses TLS, to this listener or to a proxy that reports TLS in a header. */
  static boolean isSecure(HttpServerRequest request) {
    return request.scheme().equals("https")
        || request.requestHeaders().get("x-forwarded-proto", "").equalsIgnoreCase("https");
  }

  /**
   * Returns whether a page of this server sent the request. The browser says so in the header {@code Sec-Fetch-Site}
   * or, if that is missing, by the host in the header {@code Origin}.
   */
  static boolean isSameOrigin(HttpServerRequest request) {
    var site = request.requestHeaders().get("sec-fetch-site");
    if (site != null) {
      return site.equals("same-origin");
    }
    var origin = request.requestHeaders().get(HttpHeaderNames.ORIGIN);
    var host = request.requestHeaders().get(HttpHeaderNames.HOST);
    return origin != null && host != null && host.equalsIgnoreCase(authority(origin));
  }

  /**
   * Returns whether a page of another server made a browser send the request. Other programs send neither {@code
   * Sec-Fetch-Site} nor {@code Origin}.
   */
  static boolean isForged(HttpServerRequest request) {
    var headers = request.requestHeaders();
    return (headers.contains("sec-fetch-site") || headers.contains(HttpHeaderNames.ORIGIN)) && !isSameOrigin(request);
  }

  /**
   * Returns whether a page of another server sent a request without a key of its own. Browsers let any page open a
   * WebSocket, and send the cookie with it.
   */
  boolean isFromOtherPage(HttpServerRequest request) {
    var caller = caller(request);
    return (caller.key() == null || caller.session() != null) && isForged(request);
  }

  private static @Nullable String authority(String origin) {
    try {
      return URI.create(origin).getAuthority();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Returns whether the header {@code Host} is missing or names loopback. Any other name that resolves to loopback is a
   * sign of a DNS rebinding attack by a web page.
   */
  private static boolean namesLoopback(HttpServerRequest request) {
    var host = request.requestHeaders().get(HttpHeaderNames.HOST);
    return host == null || LOOPBACK_NAME.matcher(host.toLowerCase(Locale.ROOT)).matches();
  }

  /** Returns whether a request changes anything. The registry uses POST for lookups only; the mirror has only GET. */
  private static boolean changes(HttpServerRequest request) {
    return !READING.contains(request.method()) && !isMirror(request) && !isRegistry(request);
  }

  private static AccessRight rightOfChange(HttpServerRequest request) {
    return CONFIGURED.matcher(path(request)).matches() ? AccessRight.CONFIGURE : AccessRight.WRITE;
  }

  private static boolean isMirror(HttpServerRequest request) {
    return MIRROR.matcher(path(request)).matches();
  }

  private static boolean isRegistry(HttpServerRequest request) {
    return path(request).startsWith("/registry/");
  }

  private static String path(HttpServerRequest request) {
    var uri = request.uri();
    var end = uri.indexOf('?');
    return end < 0 ? uri : uri.substring(0, end);
  }

  /**
   * Refuses a request with an error in the format of the requested API: the mirrored service, the schema registry or
   * this server.
   */
  private Mono<Void> refuse(HttpServerRequest request, HttpServerResponse response, int status, String message,
      Duration wait) {
    if (isMirror(request)) {
      return MarketRoutes.refuse(
          response, status, message, Duration.ofSeconds(wholeSeconds(wait)), clock.instant());
    }
    if (status == 401) {
      response.header(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"tidemark\"");
    }
    addRetryAfter(response, wait);
    if (path(request).endsWith(LatestRoutes.PAIRLIST)) {
      return send(response, status, LatestRoutes.TEXT, message);
    }
    var body = JsonNodeFactory.instance.objectNode();
    return isRegistry(request)
        ? send(response, status, SchemaRegistryRoutes.MEDIA_TYPE,
            body.put("error_code", status).put("message", message).toString())
        : send(response, status, "application/json", body.put("error", message).toString());
  }

  /** Adds the header {@code Retry-After}, in whole seconds rounded up, unless the wait is zero. */
  static void addRetryAfter(HttpServerResponse response, Duration wait) {
    if (!wait.isZero()) {
      response.header(HttpHeaderNames.RETRY_AFTER, Long.toString(wholeSeconds(wait)));
    }
  }

  private static long wholeSeconds(Duration wait) {
    return Math.ceilDiv(wait.toMillis(), 1000);
  }

  static Mono<Void> refuse(HttpServerResponse response, int status, String message) {
    return send(response, status, "application/json",
        JsonNodeFactory.instance.objectNode().put("error", message).toString());
  }

  static Mono<Void> send(HttpServerResponse response, int status, String type, String body) {
    return response.status(status)
        .header(HttpHeaderNames.CONTENT_TYPE, type)
        .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .sendString(Mono.just(body))
        .then();
  }
}
