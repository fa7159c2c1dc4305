package io.tidemark.serve.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tidemark.event.DurationFormat;
import io.tidemark.event.Watch;
import io.tidemark.kafka.CommandPublisher;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.SilenceFormat;
import io.tidemark.serve.web.JsonBody.RefusedRequest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * The silences of the source in the parameter {@code source} or, without it, of the first source: {@code GET
 * /v1/silences} lists the silences that have not ended, {@code POST} adds a silence, and {@code DELETE
 * /v1/silences/ID} ends a silence. Added and ended silences are written as commands to the topic {@code watch}, as
 * the command line does.
 */
public final class SilenceRoutes implements Consumer<HttpServerRoutes> {

  private static final Logger LOG = LoggerFactory.getLogger(SilenceRoutes.class);
  private static final String PATH = "/v1/silences";
  private static final int MAX_BODY_BYTES = 16_384;
  private static final Duration LONGEST = Duration.ofDays(365);

  /**
   * Maximum number of silences of a source that have not ended. It is limited because all silences are written to
   * {@code control} in one record.
   */
  private static final int MOST_SILENCES = 500;

  private final AccessControl access;
  private final List<SourceSilences> sources;
  private final InstantSource clock;

  /** The body of a request that adds a silence. */
  record NewSilence(@Nullable String rule, @Nullable String subject,
      @JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, String> labels,
      @JsonProperty("for") @Nullable String length,
      @Nullable String until, @Nullable String comment) {

    private static final int LONGEST_TEXT = 500;
    private static final int MOST_LABELS = 10;

    NewSilence {
      bound("rule", rule);
      bound("subject", subject);
      bound("comment", comment);
      if (labels != null && labels.size() > MOST_LABELS) {
        throw new IllegalArgumentException("labels: must be an object of at most " + MOST_LABELS + " texts");
      }
      if (labels != null) {
        labels.forEach((name, value) -> {
          bound("labels", name);
          bound(name, value);
        });
      }
    }

    private static void bound(String name, @Nullable String text) {
      if (text != null && text.length() > LONGEST_TEXT) {
        throw new IllegalArgumentException(name + ": must be a text of at most " + LONGEST_TEXT + " characters");
      }
    }

    /**
     * Returns the end of the silence: the time {@code until}, or {@code from} plus the given duration, or an hour after
     * {@code from} if neither is given.
     */
    Instant end(Instant from) {
      if (until != null && length != null) {
        throw new IllegalArgumentException("give either until or for, not both");
      }
      var end = until == null ? from.plus(duration()) : instant(until);
      if (end.isAfter(from.plus(LONGEST))) {
        throw new IllegalArgumentException("a silence may last at most " + LONGEST.toDays() + " days");
      }
      return end;
    }

    private Duration duration() {
      var duration = DurationFormat.OF_RULES.parse(length == null ? "1h" : length);
      if (duration == null || duration.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "for: must be a duration such as 30m, 6h or 7d, at most " + LONGEST.toDays() + "d");
      }
      return duration;
    }

    private static Instant instant(String text) {
      try {
        return Instant.parse(text).truncatedTo(ChronoUnit.MILLIS);
      } catch (DateTimeException e) {
        throw new IllegalArgumentException("until: must be a time such as 2026-03-10T12:00:00Z", e);
      }
    }
  }

  /** @param sources the silences of each source, in the order of the configuration */
  public SilenceRoutes(AccessControl access, List<SourceSilences> sources, InstantSource clock) {
    this.access = access;
    this.sources = List.copyOf(sources);
    this.clock = clock;
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(PATH, (request, response) -> answer(response, 200,
            () -> current(source(request))))
        .post(PATH, this::add)
        .delete(PATH + "/{id}", (request, response) -> answer(response, 200, () -> end(request)));
  }

  private Mono<Void> add(HttpServerRequest request, HttpServerResponse response) {
    if (!JsonBody.isJson(request)) {
      return AccessControl.refuse(response, 415, "expected application/json");
    }
    return JsonBody.read(request, NewSilence.class, MAX_BODY_BYTES)
        .flatMap(body -> answer(response, 201, () -> add(request, body)))
        .onErrorResume(RefusedRequest.class, e -> refuse(response, e));
  }

  /** @param answer makes the body of the response; may wait for Kafka */
  private static Mono<Void> answer(HttpServerResponse response, int status, Supplier<Object> answer) {
    return Mono.fromSupplier(answer)
        .subscribeOn(Schedulers.boundedElastic())
        .flatMap(body -> AccessControl.send(response, status, JsonBody.MEDIA_TYPE, JsonBody.write(body)))
        .onErrorResume(RefusedRequest.class, e -> refuse(response, e))
        .onErrorResume(KafkaException.class, e -> {
          LOG.warn("could not write the silence to Kafka: {}", e.getMessage());
          return AccessControl.refuse(response, 503, "Kafka does not accept the change at the moment; try again later");
        })
        .onErrorResume(SchemaRegistryFailure.class, e -> {
          LOG.error("could not write the silence: {}", e.getMessage());
          return AccessControl.refuse(response, 503, e instanceof SchemaRegistryFailure.UnknownSchema
              ? "this server uses a different schema registry than the source; configure the same one for both"
              : "the schema registry does not answer correctly; try again later");
        });
  }

  private static Mono<Void> refuse(HttpServerResponse response, RefusedRequest refused) {
    return AccessControl.refuse(response, refused.status, String.valueOf(refused.getMessage()));
  }

  private SourceSilences source(HttpServerRequest request) {
    var named = new QueryStringDecoder(request.uri()).parameters().get("source");
    return sources.stream()
        .filter(each -> named == null || each.source().equals(named.getFirst()))
        .findFirst()
        .orElseThrow(() -> new RefusedRequest(404, "no source has this name; the sources are "
            + String.join(", ", sources.stream().map(SourceSilences::source).toList())));
  }

  private List<Silence> current(SourceSilences source) {
    var now = clock.instant();
    return source.all().stream().filter(silence -> silence.until().isAfter(now)).toList();
  }

  private Silence add(HttpServerRequest request, NewSilence body) {
    var source = source(request);
    if (current(source).size() >= MOST_SILENCES) {
      throw new RefusedRequest(409, "there are already " + MOST_SILENCES + " silences, the maximum; end some first");
    }
    var silence = silence(body, who(request));
    if (silence.rule() != null && !source.rules().isEmpty() && !source.rules().contains(silence.rule())) {
      throw new RefusedRequest(400, "rule: no rule in force has this name");
    }
    source.add(silence);
    LOG.info("source {}: key {} added the silence {}, which ends at {}", source.source(), silence.who(), silence.id(),
        silence.until());
    return silence;
  }

  private Silence end(HttpServerRequest request) {
    var source = source(request);
    var id = Objects.requireNonNull(request.param("id"));
    var silence = current(source).stream().filter(each -> each.id().equals(id)).findFirst()
        .orElseThrow(() -> new RefusedRequest(404, "no silence has this id"));
    var who = who(request);
    source.end(id, who, now());
    LOG.info("source {}: key {} ended the silence {}, which {} had added", source.source(), who, id, silence.who());
    return silence;
  }

  /** Returns the name of the key that was sent with a request. Access control ensures that the request has a key. */
  private String who(HttpServerRequest request) {
    return Objects.requireNonNull(access.caller(request).key()).name();
  }

  private Silence silence(NewSilence body, String who) {
    var from = now();
    var id = Long.toString(from.toEpochMilli(), Character.MAX_RADIX) + "-"
        + HexFormat.of().toHexDigits((short) ThreadLocalRandom.current().nextInt());
    try {
      return new Silence(id, body.rule, body.subject, Objects.requireNonNullElse(body.labels, Map.of()), from,
          body.end(from), who,
          Objects.requireNonNullElse(body.comment, ""));
    } catch (IllegalArgumentException e) {
      throw new RefusedRequest(400, String.valueOf(e.getMessage()));
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /**
   * The silences of one source, which are added and ended by commands.
   *
   * @param status reads the silences from the commands of the source
   */
  public record SourceSilences(StatusReader status, CommandPublisher commands) {

    String source() {
      return status.source();
    }

    /** Returns the silences that no command has ended, including silences whose end has passed. */
    List<Silence> all() {
      return status.silences();
    }

    /** Returns the names of the rules in force, or an empty set if no rules have been announced. */
    Set<String> rules() {
      return status.rules();
    }

    void add(Silence silence) {
      publish(silence.id(), SilenceFormat.write(0, List.of(silence)), silence.who(), silence.from());
    }

    void end(String id, String who, Instant now) {
      publish(id, null, who, now);
    }

    private void publish(String id, @Nullable String text, String who, Instant at) {
      commands.publish(Watch.newBuilder()
          .setKind(RuleAnnouncements.SILENCE).setName(id).setText(text).setWho(who).setAt(at).build());
    }
  }
}
