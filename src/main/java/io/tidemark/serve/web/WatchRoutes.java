package io.tidemark.serve.web;

import io.tidemark.http.wire.InvalidParameterException;
import io.tidemark.serve.feed.FeedRefusal;
import io.tidemark.serve.web.CommandRoutes.Reply;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * The targets that a source watches: {@code GET /v1/watch} lists them, {@code PUT /v1/watch/TARGET} adds a target and
 * {@code DELETE} removes it, with the checks of the commands {@code watch add} and {@code watch rm}. The target is the
 * path of the service's interface, with its parameters.
 */
public record WatchRoutes(CommandRoutes commands) implements Consumer<HttpServerRoutes> {

  private static final String PATH = "/v1/watch";

  /** The parameters of these routes, which are not parameters of the target. */
  private static final Set<String> OWN = Set.of("source", "pages", "weight", "for");

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(PATH, (request, response) -> CommandRoutes.answer(response, 200,
            () -> commands.source(request).watched().targets(commands.now())))
        .put(PATH + "/**", (request, response) -> CommandRoutes.answer(response,
            Mono.defer(() -> add(request)).subscribeOn(Schedulers.boundedElastic())))
        .delete(PATH + "/**", (request, response) -> CommandRoutes.answer(response,
            Mono.defer(() -> remove(request)).subscribeOn(Schedulers.boundedElastic())));
  }

  private Mono<Reply> add(HttpServerRequest request) {
    var source = commands.source(request);
    var command = CommandRoutes.checked(() -> {
      try {
        return source.watched().add(target(request.uri()), number(request, "pages").intValue(),
            number(request, "weight").doubleValue(), parameter(request, "for"), commands.who(request), commands.now());
      } catch (IllegalArgumentException e) {
        throw e.getCause() instanceof InvalidParameterException wrong && wrong.isUnknown()
            ? new IllegalArgumentException(
                e.getMessage() + "; this request also takes 'pages', 'weight' and 'for'",
                e)
            : e;
      }
    });
    CommandRoutes.publish(source, command);
    var body = Map.of("target", command.getName(), "added_by", command.getWho(), "at", command.getAt().toString());
    return CommandRoutes.awaited(body, () -> source.status().additions().contains(command) ? body : null);
  }

  private Mono<Reply> remove(HttpServerRequest request) {
    var source = commands.source(request);
    var command = CommandRoutes.checked(
        () -> source.watched().remove(target(request.uri()), commands.who(request), commands.now()));
    CommandRoutes.publish(source, command);
    var body = Map.of("target", command.getName());
    return CommandRoutes.awaited(body, () -> source.status().additions().stream()
        .noneMatch(each -> each.getName().equals(command.getName())) ? body : null);
  }

  /**
   * Returns the part of a request's address that names the target. Its slashes may be escaped, as clients generated
   * from the OpenAPI document do.
   */
  static String target(String uri) {
    var parts = uri.substring(PATH.length()).split("\\?", 2);
    var isEscaped = parts[0].indexOf('/', 1) < 0 && parts[0].toUpperCase(Locale.ROOT).contains("%2F");
    var name = isEscaped ? FeedRoutes.unescaped(parts[0].substring(1)) : parts[0];
    var path = name.startsWith("/") ? name : "/" + name;
    var parameters = parts.length == 1 ? ""
        : Arrays.stream(parts[1].split("&"))
            .filter(each -> !OWN.contains(each.split("=", 2)[0]))
            .collect(Collectors.joining("&"));
    return parameters.isEmpty() ? path : path + "?" + parameters;
  }

  private static Double number(HttpServerRequest request, String name) {
    var text = parameter(request, name);
    if (text != null && !text.matches(name.equals("pages") ? "\\d{1,4}" : "\\d{1,4}(\\.\\d{1,9})?")) {
      throw FeedRefusal.badRequest(name + ": must be a number");
    }
    return text == null ? 1.0 : Double.valueOf(text);
  }

  private static @Nullable String parameter(HttpServerRequest request, String name) {
    return FeedRoutes.parameters(request).getOrDefault(name, List.of()).stream().findFirst().orElse(null);
  }
}
