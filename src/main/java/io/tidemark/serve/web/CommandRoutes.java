package io.tidemark.serve.web;

import io.tidemark.event.Watch;
import io.tidemark.kafka.CommandPublisher;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.rule.RuleSet;
import io.tidemark.serve.feed.FeedRefusal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * The steps that routes share which write commands to the topic {@code watch}: they choose the source that the request
 * names, or the first one, name the author, write the command, wait for the outcome, and respond.
 *
 * @param sources all sources, in the order of the configuration
 */
public record CommandRoutes(AccessControl access, List<CommandedSource> sources, InstantSource clock) {

  private static final Logger LOG = LoggerFactory.getLogger(CommandRoutes.class);

  /** How long a response waits until a command has been carried out. */
  private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  public CommandRoutes {
    sources = List.copyOf(sources);
  }

  /**
   * A source that commands change.
   *
   * @param status reads the commands of the source
   * @param configuredRules compiles the rules of the configuration
   */
  public record CommandedSource(StatusReader status, CommandPublisher commands, WatchedSource watched,
      Supplier<RuleSet> configuredRules) {}

  /**
   * What a source watches, by its configuration and the commands. A change is refused by an {@code
   * IllegalArgumentException} if the target is wrong, a {@code NoSuchElementException} if it is not there, and an
   * {@code IllegalStateException} if something else is in the way.
   */
  public interface WatchedSource {

    /** Returns a row of JSON for each watched target. */
    List<?> targets(Instant now);

    /** Returns the command that adds a target, for ever if {@code length} is null. */
    Watch add(String target, int pages, double weight, @Nullable String length, String who, Instant now);

    /** Returns the command that removes an added target. */
    Watch remove(String target, String who, Instant now);

    /** Returns the reasons why rules get no data from the watched targets, or get data too rarely. */
    List<String> uncovered(RuleSet rules, Instant now);
  }

  record Reply(int status, String type, String body) {

    static Reply json(int status, Object body) {
      return new Reply(status, JsonBody.MEDIA_TYPE, JsonBody.write(body));
    }
  }

  /** Sends the body that a task returns. The task may wait for Kafka. */
  static Mono<Void> answer(HttpServerResponse response, int status, Supplier<Object> body) {
    return answer(response, Mono.fromSupplier(body).subscribeOn(Schedulers.boundedElastic())
        .map(each -> Reply.json(status, each)));
  }

  /**
   * Responds with 200 and the outcome of a command once there is one, or with 202 and {@code requested} if the timeout
   * passes first.
   *
   * @param outcome returns the outcome, or null as long as the command has not been carried out
   */
  static Mono<Reply> awaited(Object requested, Supplier<@Nullable Object> outcome) {
    return Flux.interval(POLL_INTERVAL, Schedulers.parallel())
        .onBackpressureDrop()
        .mapNotNull(tick -> outcome.get())
        .next()
        .map(body -> Reply.json(200, body))
        .timeout(OUTCOME_TIMEOUT, Mono.just(Reply.json(202, requested)));
  }

  static Mono<Void> answer(HttpServerResponse response, Mono<Reply> reply) {
    return reply
        .onErrorMap(KafkaException.class, e -> {
          LOG.warn("could not write a command to Kafka: {}", e.getMessage());
          return FeedRefusal.of(503, "Kafka does not accept the change at the moment; try again later");
        })
        .onErrorMap(SchemaRegistryFailure.class, e -> {
          LOG.error("could not write a command: {}", e.getMessage());
          return FeedRefusal.of(503, e instanceof SchemaRegistryFailure.UnknownSchema
              ? "this server uses a different schema registry than the source; configure the same one for both"
              : "the schema registry does not answer correctly; try again later");
        })
        .flatMap(each -> AccessControl.send(response, each.status, each.type, each.body));
  }

  /**
   * Returns the source that a request names. Refuses the request with 503 until all commands of the source have been
   * read, because checks against a part of them would accept invalid commands.
   */
  CommandedSource source(HttpServerRequest request) {
    var source = FeedRoutes.ofSource(request, sources, each -> each.status.source());
    if (!source.status.isCaughtUp()) {
      throw FeedRefusal.unavailable("the commands of the source are still being read; try again later");
    }
    return source;
  }

  /** Returns the source that a request names. Refuses a request with any other parameter than {@code source}. */
  CommandedSource onlySource(HttpServerRequest request) {
    FeedRoutes.parameters(request, "source");
    return source(request);
  }

  /** Returns what a check returns. Refuses the request if the check throws as {@link WatchedSource} says. */
  static <T> T checked(Supplier<T> check) {
    try {
      return check.get();
    } catch (IllegalArgumentException e) {
      throw FeedRefusal.badRequest(String.valueOf(e.getMessage()));
    } catch (NoSuchElementException e) {
      throw FeedRefusal.notFound(String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      throw FeedRefusal.of(409, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the name of the key that was sent with a request. Access control ensures that the request has a key. */
  String who(HttpServerRequest request) {
    return Objects.requireNonNull(access.caller(request).key()).name();
  }

  /** Returns the current time in whole milliseconds. */
  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Writes a command, and logs it. */
  static void publish(CommandedSource source, Watch command) {
    source.commands.publish(command);
    LOG.info("source {}: key {} {} {} {}", source.status.source(), command.getWho(),
        command.getText() == null ? "withdrew" : "set", command.getKind(), command.getName());
  }

  /** Writes and logs a command; one without a text withdraws an earlier one. */
  static void publish(CommandedSource source, String kind, String name, @Nullable String text, String who,
      Instant at) {
    publish(source, Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho(who).setAt(at).build());
  }
}
