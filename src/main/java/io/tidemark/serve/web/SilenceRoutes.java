package io.tidemark.serve.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.tidemark.event.DurationFormat;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.serve.feed.FeedRefusal;
import io.tidemark.serve.web.CommandRoutes.CommandedSource;
import io.tidemark.serve.web.CommandRoutes.Reply;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
public record SilenceRoutes(CommandRoutes commands) implements Consumer<HttpServerRoutes> {

  private static final String PATH = "/v1/silences";
  private static final int MAX_BODY_BYTES = 16_384;

  record NewSilence(@Nullable String rule, @Nullable String subject,
      @JsonSetter(contentNulls = Nulls.FAIL) @Nullable Map<String, String> labels,
      @JsonProperty("for") @Nullable String length,
      @Nullable String until, @Nullable String comment) {
    /**
     * Returns the end of the silence: the time {@code until}, or {@code from} plus the given duration, or an hour after
     * {@code from} if neither is given.
     */
    Instant end(Instant from) {
      if (until != null && length != null) {
        throw new IllegalArgumentException("give either until or for, not both");
      }
      return until == null ? from.plus(duration()) : instant(until);
    }

    private Duration duration() {
      var duration = DurationFormat.OF_RULES.parse(length == null ? "1h" : length);
      if (duration == null || duration.compareTo(Silence.LONGEST) > 0) {
        throw new IllegalArgumentException(
            "for: must be a duration such as 30m, 6h or 7d, at most " + Silence.LONGEST.toDays() + "d");
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

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(PATH, (request, response) -> CommandRoutes.answer(response, 200,
            () -> current(commands.onlySource(request))))
        .post(PATH, this::add)
        .delete(PATH + "/{id}", (request, response) -> CommandRoutes.answer(response, 200, () -> end(request)));
  }

  private Mono<Void> add(HttpServerRequest request, HttpServerResponse response) {
    if (!JsonBody.isJson(request)) {
      return AccessControl.refuse(response, 415, "expected application/json");
    }
    return CommandRoutes.answer(response, JsonBody.read(request, NewSilence.class, MAX_BODY_BYTES)
        .publishOn(Schedulers.boundedElastic())
        .flatMap(body -> {
          var silence = add(request, body);
          var source = commands.onlySource(request);
          return CommandRoutes.awaited(silence, () -> find(source, silence.id()).orElse(null))
              .map(reply -> reply.status() == 200 ? Reply.json(201, silence) : reply);
        }));
  }

  private List<Silence> current(CommandedSource source) {
    var now = commands.clock().instant();
    return source.status().silences().stream().filter(silence -> silence.until().isAfter(now)).toList();
  }

  private Optional<Silence> find(CommandedSource source, String id) {
    return current(source).stream().filter(each -> each.id().equals(id)).findFirst();
  }

  private Silence add(HttpServerRequest request, NewSilence body) {
    var source = commands.onlySource(request);
    var silence = silence(body, commands.who(request));
    CommandRoutes.checked(() -> RuleAnnouncements.requireWithinLimits(silence, current(source)));
    var rules = source.status().rules().rules();
    if (silence.rule() != null && !rules.rules().isEmpty() && rules.find(silence.rule()) == null) {
      throw FeedRefusal.badRequest("rule: no rule in force has this name");
    }
    CommandRoutes.publish(source, RuleAnnouncements.SILENCE, silence.id(),
        RuleFormat.writeSilences(0, List.of(silence)), silence.who(), silence.from());
    return silence;
  }

  private Silence end(HttpServerRequest request) {
    var source = commands.onlySource(request);
    var id = FeedRoutes.segment(request, "id");
    var silence = find(source, id)
        .orElseThrow(() -> FeedRefusal.notFound("no silence has this id"));
    CommandRoutes.publish(source, RuleAnnouncements.SILENCE, id, null, commands.who(request), commands.now());
    return silence;
  }

  private Silence silence(NewSilence body, String who) {
    var from = commands.now();
    var id = Long.toString(from.toEpochMilli(), Character.MAX_RADIX) + "-"
        + HexFormat.of().toHexDigits((short) ThreadLocalRandom.current().nextInt());
    try {
      return new Silence(id, body.rule, body.subject, Objects.requireNonNullElse(body.labels, Map.of()), from,
          body.end(from), who,
          Objects.requireNonNullElse(body.comment, ""));
    } catch (IllegalArgumentException e) {
      throw FeedRefusal.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
