package io.tidemark.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.tidemark.access.AccessKey;
import io.tidemark.access.AccessKeys;
import io.tidemark.access.AccessRight;
import io.tidemark.access.AccessSettings;
import io.tidemark.access.AccessSettings.AnonymousAccess;
import io.tidemark.access.ClientRateLimit;
import io.tidemark.access.Sessions;
import io.tidemark.access.Sessions.Session;
import io.tidemark.http.server.ClientAddress;
import io.tidemark.http.server.MarketRoutes;
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
 * Decides on each request of a listener before any route sees it: whether its key, or the session of its browser, allows
 * it. What is not listed here as open needs a key, and what is not listed as reading needs the right to write.
 */
public final class AccessControl {

  static final String LOGIN = "/v1/login";
  static final String LOGOUT = "/v1/logout";

  private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);
  private static final String BEARER = "bearer ";
  private static final int WRONG_KEYS_PER_MINUTE = 10;
  /** The page shows nothing without what it asks for with a key, and has the form that takes one. */
  private static final Pattern OPEN = Pattern.compile("/|/page/[^?]*|" + LOGIN + "|" + LOGOUT);
  private static final Pattern MIRROR = Pattern.compile("(?:/sources/[^/]+)?" + MarketRoutes.PREFIX + "/.*");
  private static final Pattern REGISTRY = Pattern.compile("/registry/.*");
  private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final Pattern LOOPBACK_NAME =
      Pattern.compile("(?:localhost|[a-z0-9-]+\\.localhost|127(?:\\.\\d{1,3}){3}|\\[::1])(?::\\d{1,5})?");

  private final AccessSettings settings;
  private final AccessKeys keys;
  private final Sessions sessions;
  private final ClientRateLimit failures;
  private final ClientRateLimit anonymous;
  private final InstantSource clock;
  private final boolean isOpen;

  /**
   * Who sent a request.
   *
   * @param key null where none was sent, or a wrong one
   * @param session with which it came; null for a key that was sent with the request itself
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

  /** Of a listener whose routes are open to all who reach it: health and metrics. */
  public static AccessControl open() {
    return new AccessControl(
        new AccessSettings(List.of(), AnonymousAccess.ANYWHERE, null), InstantSource.system(), true);
  }

  /** The same of a listener on loopback: it refuses requests whose header {@code Host} names another machine. */
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

  /** Whether what is read needs a key. */
  boolean needsKey() {
    return !isOpen && settings.needsKey();
  }

  /** Passes a request on to the routes, or refuses it. A failure of a route becomes an answer that tells nothing of it. */
  Publisher<Void> guard(HttpServerRequest request, HttpServerResponse response,
      BiFunction<? super HttpServerRequest, ? super HttpServerResponse, ? extends Publisher<Void>> routes) {
    return Mono.defer(() -> Mono.from(decide(request, response, routes)))
        .onErrorResume(e -> !response.hasSentHeaders() && !AbortedException.isConnectionReset(e), e -> {
          LOG.error("request for {} failed with a programming error; responding with status 500", path(request), e);
          return refuse(request, response, 500, "internal error; the log of the server has the reason", Duration.ZERO);
        });
  }

  private Publisher<Void> decide(HttpServerRequest request, HttpServerResponse response,
      BiFunction<? super HttpServerRequest, ? super HttpServerResponse, ? extends Publisher<Void>> routes) {
    if (settings.isLocalOnly() && !namesLoopback(request)) {
      return refuse(request, response, 421, "this server answers requests for localhost only. To let others in, "
          + (isOpen ? "send the header Host: localhost, or set management.address to an address that they reach"
              : "either make a key with 'tidemark key new' and set web.anonymous to none, or set web.anonymous to read"),
          Duration.ZERO);
    }
    if (isOpen) {
      return routes.apply(request, response);
    }
    if (OPEN.matcher(path(request)).matches()) {
      return routes.apply(request, response);
    }
    var caller = caller(request);
    if (caller.isWrong()) {
      return refuseWrong(request, response);
    }
    var key = caller.key();
    if (key == null) {
      return changes(request) || needsKey()
          ? refuse(request, response, 401, missing(request), Duration.ZERO)
          : passAnonymous(request, response, routes);
    }
    var wait = keys.count(key);
    if (!wait.isZero()) {
      return refuse(request, response, 429,
          "more requests than the " + key.perMinute() + " a minute of this key; try again later", wait);
    }
    var problem = changes(request) ? problemOfChange(request, caller, key) : null;
    return problem == null ? routes.apply(request, response) : refuse(request, response, 403, problem, Duration.ZERO);
  }

  private Publisher<Void> passAnonymous(HttpServerRequest request, HttpServerResponse response,
      BiFunction<? super HttpServerRequest, ? super HttpServerResponse, ? extends Publisher<Void>> routes) {
    var wait = settings.isLocalOnly() ? Duration.ZERO : anonymous.tryTake(ClientAddress.of(request.remoteAddress()));
    return wait.isZero()
        ? routes.apply(request, response)
        : refuse(request, response, 429,
            "more requests than the " + anonymous.perMinute()
                + " a minute of an address without a key; try again later",
            wait);
  }

  private static String missing(HttpServerRequest request) {
    var header = isMirror(request) ? MarketRoutes.KEY_HEADER + ": KEY, or in " : "";
    return "a key is needed" + (changes(request) ? " with the right write" : "")
        + ": send it in the header " + header + "Authorization: Bearer KEY";
  }

  private static @Nullable String problemOfChange(HttpServerRequest request, Caller caller, AccessKey key) {
    if (!key.allows(AccessRight.WRITE)) {
      return "the key of " + key.name() + " has no right to write";
    }
    return caller.session() != null && !isSameOrigin(request)
        ? "a change with a cookie is taken from the page of this server only"
        : null;
  }

  private Publisher<Void> refuseWrong(HttpServerRequest request, HttpServerResponse response) {
    var wait = countFailure(request);
    return wait.isZero()
        ? refuse(request, response, 401, isMirror(request) ? "Invalid API Key." : "this key is not known",
            Duration.ZERO)
        : refuse(request, response, 429, "too many wrong keys from this address", wait);
  }

  /** Counts a wrong key. Returns zero where its address is within the limit. */
  Duration countFailure(HttpServerRequest request) {
    var address = ClientAddress.of(request.remoteAddress());
    var wait = failures.tryTake(address);
    if (wait.isZero()) {
      LOG.info("web: a wrong key from {}", address);
    }
    return wait;
  }

  /** By whom the use of what all share is counted: the key of a request, or the address of one without a key. */
  String client(HttpServerRequest request) {
    var key = caller(request).key();
    return key == null ? "address " + ClientAddress.of(request.remoteAddress()) : "key " + key.name();
  }

  /** Who sent a request, by its header, or else by the cookie of a session. */
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
   * The key in the header of a request. Client libraries of the interface insist on sending one: where none is needed,
   * the mirror ignores what they send.
   */
  private @Nullable String sentKey(HttpServerRequest request) {
    var authorization = request.requestHeaders().get(HttpHeaderNames.AUTHORIZATION, "");
    if (authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      return authorization.substring(BEARER.length()).strip();
    }
    return isMirror(request) && needsKey() ? request.requestHeaders().get(MarketRoutes.KEY_HEADER) : null;
  }

  /** The cookie of a session. Under TLS, its name keeps other hosts and paths from setting it. */
  static String cookieName(HttpServerRequest request) {
    return isSecure(request) ? "__Host-tidemark-session" : "tidemark-session";
  }

  /** Whether the client has TLS: to this listener, or to a proxy that says so. */
  static boolean isSecure(HttpServerRequest request) {
    return request.scheme().equals("https")
        || request.requestHeaders().get("x-forwarded-proto", "").equalsIgnoreCase("https");
  }

  /**
   * Whether a browser says that a page of this server sent the request: by Sec-Fetch-Site where it sends that, else by
   * the host of Origin.
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

  /** Whether a browser sent the request from a page; other programs send neither header. */
  static boolean isFromBrowser(HttpServerRequest request) {
    return request.requestHeaders().contains("sec-fetch-site")
        || request.requestHeaders().contains(HttpHeaderNames.ORIGIN);
  }

  private static @Nullable String authority(String origin) {
    try {
      return URI.create(origin).getAuthority();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** A name of another host that leads here is how a page of a stranger reads a server that trusts its own machine. */
  private static boolean namesLoopback(HttpServerRequest request) {
    var host = request.requestHeaders().get(HttpHeaderNames.HOST);
    return host == null || LOOPBACK_NAME.matcher(host.toLowerCase(Locale.ROOT)).matches();
  }

  /** The registry answers lookups by POST, and registers nothing. The mirror answers GET only. */
  private static boolean changes(HttpServerRequest request) {
    return !READING.contains(request.method()) && !isMirror(request) && !isRegistry(request);
  }

  private static boolean isMirror(HttpServerRequest request) {
    return MIRROR.matcher(path(request)).matches();
  }

  private static boolean isRegistry(HttpServerRequest request) {
    return REGISTRY.matcher(path(request)).matches();
  }

  private static String path(HttpServerRequest request) {
    var uri = request.uri();
    var end = uri.indexOf('?');
    return end < 0 ? uri : uri.substring(0, end);
  }

  /** Answers in the shape of what was asked for: of the service, of a schema registry, or of this server. */
  private Mono<Void> refuse(HttpServerRequest request, HttpServerResponse response, int status, String message,
      Duration wait) {
    var seconds = Duration.ofSeconds(Math.ceilDiv(wait.toMillis(), 1000));
    if (isMirror(request)) {
      return MarketRoutes.refuse(response, status, message, seconds, clock.instant());
    }
    if (status == 401) {
      response.header(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"tidemark\"");
    }
    if (status == 429) {
      response.header(HttpHeaderNames.RETRY_AFTER, Long.toString(seconds.toSeconds()));
    }
    var body = JsonNodeFactory.instance.objectNode();
    return isRegistry(request)
        ? send(response, status, SchemaRegistryRoutes.MEDIA_TYPE,
            body.put("error_code", status).put("message", message).toString())
        : send(response, status, "application/json", body.put("error", message).toString());
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
