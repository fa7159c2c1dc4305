package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleFailure;
import io.tidemark.rule.file.RulesInForce;
import io.tidemark.serve.feed.FeedRefusal;
import io.tidemark.serve.web.CommandRoutes.CommandedSource;
import io.tidemark.serve.web.CommandRoutes.Reply;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * The rules of a source: {@code GET /v1/rules} lists the rules in force and the applied files, {@code GET
 * /v1/rules/FILE} returns the text of an applied file, {@code PUT} applies a file of rules and {@code DELETE} drops it,
 * with the checks of the commands {@code rules apply} and {@code rules drop}. {@code GET /v1/receivers} lists who gets
 * the alerts.
 *
 * @param receivers a row of JSON for each configured receiver, without its URL, which is a secret
 */
public record RuleRoutes(CommandRoutes commands, List<?> receivers) implements Consumer<HttpServerRoutes> {

  private static final String PATH = "/v1/rules";
  private static final String FILE = PATH + "/{file}";
  private static final int MAX_BODY_BYTES = 500_000;

  private record Rules(long version, List<RuleRow> rules, List<FileRow> files, List<RuleFailure> outOfForce) {}

  private record RuleRow(String name, String on, String kind, String severity, long version, @Nullable String file) {}

  private record FileRow(String file, List<String> rules, String who, Instant at) {}

  /** The outcome of a command. {@code inForce} says whether the owner of the source has carried it out. */
  private record Outcome(String file, List<String> rules, List<String> replaces, List<String> warnings,
      boolean inForce, long version) {

    Outcome carriedOut(RulesInForce now) {
      return new Outcome(file, rules, replaces, warnings, true, now.rules().version());
    }
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(PATH, (request, response) -> CommandRoutes.answer(response, 200,
            () -> list(commands.onlySource(request).status().rules())))
        .get("/v1/receivers", (request, response) -> CommandRoutes.answer(response, 200, () -> receivers))
        .get(FILE, (request, response) -> CommandRoutes.answer(response, Mono.fromSupplier(() -> text(request))))
        .put(FILE, this::apply)
        .delete(FILE, (request, response) -> CommandRoutes.answer(response,
            Mono.defer(() -> drop(request)).subscribeOn(Schedulers.boundedElastic())));
  }

  private static Rules list(RulesInForce current) {
    return new Rules(current.rules().version(),
        current.rules().rules().stream().map(rule -> new RuleRow(rule.name(), rule.on(), rule.kind().text(),
            rule.severity(), rule.version(), current.fileOf(rule.name()))).toList(),
        current.files().entrySet().stream().map(each -> new FileRow(each.getKey(), each.getValue().rules().names(),
            each.getValue().who(), each.getValue().at())).toList(),
        current.outOfForce());
  }

  private Reply text(HttpServerRequest request) {
    var rules = commands.onlySource(request).status().rules();
    return new Reply(200, "application/yaml", CommandRoutes.checked(() -> rules.applied(file(request))).text());
  }

  private Mono<Void> apply(HttpServerRequest request, HttpServerResponse response) {
    return CommandRoutes.answer(response, JsonBody.bytes(request, MAX_BODY_BYTES)
        .publishOn(Schedulers.boundedElastic())
        .flatMap(body -> apply(request, body))
        .onErrorResume(RuleException.class, e -> Mono
            .just(Reply.json(400, Map.of("error", String.valueOf(e.getMessage()), "problems", e.problems())))));
  }

  private static boolean isDryRun(@Nullable List<String> values) {
    return switch (values == null ? "false" : values.getLast()) {
      case "", "true" -> true;
      case "false" -> false;
      case String other -> throw FeedRefusal.badRequest("dry-run: must be true or false, or without a value");
    };
  }

  private Mono<Reply> apply(HttpServerRequest request, byte[] body) {
    var isDryRun = isDryRun(FeedRoutes.parameters(request, "source", "dry-run").get("dry-run"));
    var source = commands.source(request);
    var file = file(request);
    var text = decoded(body);
    var before = source.status().rules();
    var rules = before.check(file, new RuleDocument(file, text), source.status().ruleSchemas());
    var now = commands.now();
    var outcome = new Outcome(file, rules.names(), before.replacedBy(file, rules),
        source.watched().uncovered(rules, now), false, before.rules().version());
    if (isDryRun) {
      return Mono.just(Reply.json(200, outcome));
    }
    var done = before.carriedOut(file, rules, source.configuredRules());
    CommandRoutes.publish(source, RuleAnnouncements.RULES, file, text, commands.who(request), before.commandTime(now));
    return awaited(source, outcome, current -> {
      var applied = current.files().get(file);
      return applied != null && applied.text().equals(text) && done.test(current.rules());
    });
  }

  private Mono<Reply> drop(HttpServerRequest request) {
    var source = commands.onlySource(request);
    var file = file(request);
    var before = source.status().rules();
    var rules = CommandRoutes.checked(() -> before.applied(file)).rules();
    var done = before.carriedOut(file, RuleSet.EMPTY, source.configuredRules());
    CommandRoutes.publish(source, RuleAnnouncements.RULES, file, null, commands.who(request), commands.now());
    return awaited(source, new Outcome(file, rules.names(), List.of(), List.of(), false, before.rules().version()),
        current -> !current.files().containsKey(file) && done.test(current.rules()));
  }

  private static Mono<Reply> awaited(CommandedSource source, Outcome requested, Predicate<RulesInForce> done) {
    return CommandRoutes.awaited(requested, () -> {
      var current = source.status().rules();
      return done.test(current) ? requested.carriedOut(current) : null;
    });
  }

  private static String file(HttpServerRequest request) {
    return CommandRoutes.checked(() -> RulesInForce.nameOf(FeedRoutes.segment(request, "file")));
  }

  private static String decoded(byte[] body) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      throw FeedRefusal.badRequest("the body is not UTF-8 text");
    }
  }
}
