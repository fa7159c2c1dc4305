package io.tidemark.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.tidemark.rule.Silence;
import io.tidemark.web.RequestBody.BodyTooLargeException;
import io.tidemark.yaml.DurationFormat;
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
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
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
 * The silences of a source: {@code GET /v1/silences} lists those that have not ended, {@code POST} adds one, {@code DELETE
 * /v1/silences/ID} ends one. They are commands on the topic {@code watch}, as those of the command line are.
 */
public final class SilenceRoutes implements Consumer<HttpServerRoutes> {

  private static final Logger LOG = LoggerFactory.getLogger(SilenceRoutes.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  static final String PATH = "/v1/silences";
  private static final String MEDIA_TYPE = "application/json";
  private static final int MAX_BODY_BYTES = 16_384;
  private static final int LONGEST_TEXT = 500;
  private static final int MOST_LABELS = 10;
  private static final Set<String> FIELDS = Set.of("rule", "subject", "labels", "for", "until", "comment");
  private static final Duration LONGEST = Duration.ofDays(365);

  /** They are written whole to {@code control}, in one record. */
  private static final int MOST_SILENCES = 500;

  private final AccessControl access;
  private final List<SourceSilences> sources;
  private final InstantSource clock;

  private static final class SilenceRefusal extends RuntimeException {
    final int status;

    SilenceRefusal(int status, String message) {
      super(message, null, false, false);
      this.status = status;
    }
  }

  /** @param sources in the order of the configuration */
  public SilenceRoutes(AccessControl access, List<SourceSilences> sources, InstantSource clock) {
    this.access = access;
    this.sources = List.copyOf(sources);
    this.clock = clock;
  }

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get(PATH, (request, response) -> answer(response, 200, () -> list(source(request))))
        .post(PATH, this::add)
        .delete(PATH + "/{id}", (request, response) -> answer(response, 200, () -> end(request)));
  }

  /** The JSON Schema of a silence in an answer. */
  static ObjectNode schema() {
    var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    var properties = schema.putObject("properties");
    var required = schema.putArray("required");
    List.of("id", "rule", "subject", "labels", "from", "until", "who", "comment").forEach(required::add);
    properties.putObject("id").put("type", "string");
    properties.putObject("rule").put("description", "Null for all rules.").putArray("type").add("string").add("null");
    properties.putObject("subject").put("description", "Null for all resources.")
        .putArray("type").add("string").add("null");
    properties.putObject("labels").put("type", "object").putObject("additionalProperties").put("type", "string");
    properties.putObject("from").put("type", "string").put("format", "date-time");
    properties.putObject("until").put("type", "string").put("format", "date-time");
    properties.putObject("who").put("type", "string").put("description", "The name of the key that added it.");
    properties.putObject("comment").put("type", "string");
    return schema;
  }

  /** The JSON Schema of a silence to add. */
  static ObjectNode requestSchema() {
    var schema = JsonNodeFactory.instance.objectNode().put("type", "object").put("additionalProperties", false);
    var properties = schema.putObject("properties");
    for (var name : List.of("rule", "subject", "comment")) {
      properties.putObject(name).put("type", "string").put("maxLength", LONGEST_TEXT);
    }
    properties.putObject("labels").put("type", "object").put("maxProperties", MOST_LABELS)
        .putObject("additionalProperties").put("type", "string");
    properties.putObject("for").put("type", "string").put("description",
        "How long, such as `6h`; an hour if left out.");
    properties.putObject("until").put("type", "string").put("format", "date-time")
        .put("description", "The end, instead of `for`.");
    return schema;
  }

  private Mono<Void> add(HttpServerRequest request, HttpServerResponse response) {
    if (!LoginRoutes.isJson(request)) {
      return AccessControl.refuse(response, 415, "expected application/json");
    }
    return RequestBody.text(request, MAX_BODY_BYTES)
        .defaultIfEmpty("")
        .flatMap(body -> answer(response, 201, () -> add(request, body)))
        .onErrorResume(BodyTooLargeException.class,
            e -> AccessControl.refuse(response, 413, String.valueOf(e.getMessage())));
  }

  private static Mono<Void> answer(HttpServerResponse response, int status, JsonAnswer answer) {
    return Mono.fromCallable(answer::json)
        .subscribeOn(Schedulers.boundedElastic())
        .flatMap(json -> AccessControl.send(response, status, MEDIA_TYPE, json.toString()))
        .onErrorResume(SilenceRefusal.class,
            e -> AccessControl.refuse(response, e.status, String.valueOf(e.getMessage())))
        .onErrorResume(KafkaException.class, e -> {
          LOG.warn("a silence was not changed: {}", e.getMessage());
          return AccessControl.refuse(response, 503, "Kafka does not take it at the moment; try again later");
        });
  }

  /** What a request is answered with; may wait for Kafka. */
  private interface JsonAnswer {
    JsonNode json();
  }

  private SourceSilences source(HttpServerRequest request) {
    var named = new QueryStringDecoder(request.uri()).parameters().get("source");
    return sources.stream()
        .filter(each -> named == null || each.source().equals(named.getFirst()))
        .findFirst()
        .orElseThrow(() -> new SilenceRefusal(404, "no source has this name; there are "
            + String.join(", ", sources.stream().map(SourceSilences::source).toList())));
  }

  private JsonNode list(SourceSilences source) {
    var list = JsonNodeFactory.instance.arrayNode();
    current(source).forEach(silence -> list.add(json(silence)));
    return list;
  }

  private List<Silence> current(SourceSilences source) {
    var now = clock.instant();
    return source.all().stream().filter(silence -> silence.until().isAfter(now)).toList();
  }

  private JsonNode add(HttpServerRequest request, String body) {
    var source = source(request);
    if (current(source).size() >= MOST_SILENCES) {
      throw new SilenceRefusal(409, "there are " + MOST_SILENCES + " silences, which is the most; end some first");
    }
    var silence = silence(fields(body), who(request));
    if (silence.rule() != null && !source.rules().isEmpty() && !source.rules().contains(silence.rule())) {
      throw new SilenceRefusal(400, "rule: no rule in force has this name");
    }
    source.add(silence);
    LOG.info("source {}: {} added the silence {} until {}", source.source(), silence.who(), silence.id(),
        silence.until());
    return json(silence);
  }

  private JsonNode end(HttpServerRequest request) {
    var source = source(request);
    var id = Objects.requireNonNull(request.param("id"));
    var silence = current(source).stream().filter(each -> each.id().equals(id)).findFirst()
        .orElseThrow(() -> new SilenceRefusal(404, "there is no silence of this id"));
    var who = who(request);
    source.end(id, who, now());
    LOG.info("source {}: {} ended the silence {} of {}", source.source(), who, id, silence.who());
    return json(silence);
  }

  /** The name of the key: access control has seen to it that there is one. */
  private String who(HttpServerRequest request) {
    return Objects.requireNonNull(access.caller(request).key()).name();
  }

  private static JsonNode fields(String body) {
    try {
      var json = JSON.readTree(body);
      if (json == null || !json.isObject()) {
        throw new SilenceRefusal(400, "expected a JSON object");
      }
      json.fieldNames().forEachRemaining(name -> {
        if (!FIELDS.contains(name)) {
          throw new SilenceRefusal(400, "there are the fields rule, subject, labels, for, until and comment only");
        }
      });
      return json;
    } catch (JsonProcessingException e) {
      throw new SilenceRefusal(400, "expected a JSON object");
    }
  }

  private Silence silence(JsonNode in, String who) {
    var from = now();
    var id = Long.toString(from.toEpochMilli(), Character.MAX_RADIX) + "-"
        + HexFormat.of().toHexDigits((short) ThreadLocalRandom.current().nextInt());
    var comment = text(in, "comment");
    try {
      return new Silence(id, text(in, "rule"), text(in, "subject"), labels(in.path("labels")), from, until(in, from),
          who,
          comment == null ? "" : comment);
    } catch (IllegalArgumentException e) {
      throw new SilenceRefusal(400, String.valueOf(e.getMessage()));
    }
  }

  private static @Nullable String text(JsonNode in, String name) {
    var value = in.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isTextual() || value.textValue().length() > LONGEST_TEXT) {
      throw new SilenceRefusal(400, name + ": a text of at most " + LONGEST_TEXT + " characters");
    }
    return value.textValue();
  }

  private static Map<String, String> labels(JsonNode in) {
    var labels = new TreeMap<String, String>();
    if (in.isMissingNode() || in.isNull()) {
      return labels;
    }
    if (!in.isObject() || in.size() > MOST_LABELS) {
      throw new SilenceRefusal(400, "labels: an object of at most " + MOST_LABELS + " texts");
    }
    in.fieldNames().forEachRemaining(name -> {
      var value = text(in, name);
      if (value == null || name.length() > LONGEST_TEXT) {
        throw new SilenceRefusal(400, "labels: each label is a text");
      }
      labels.put(name, value);
    });
    return labels;
  }

  /** The end, by a time or a duration; an hour from now where neither is given. */
  private static Instant until(JsonNode in, Instant from) {
    var time = text(in, "until");
    var length = text(in, "for");
    if (time != null && length != null) {
      throw new SilenceRefusal(400, "until, or for, and not both");
    }
    var until = time == null ? from.plus(duration(length == null ? "1h" : length)) : instant(time);
    if (until.isAfter(from.plus(LONGEST))) {
      throw new SilenceRefusal(400, "at most " + LONGEST.toDays() + " days");
    }
    return until;
  }

  private static Duration duration(String text) {
    var duration = DurationFormat.OF_RULES.parse(text);
    if (duration == null || duration.compareTo(LONGEST) > 0) {
      throw new SilenceRefusal(400, "for: a duration such as 30m, 6h or 7d, at most " + LONGEST.toDays() + "d");
    }
    return duration;
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text).truncatedTo(ChronoUnit.MILLIS);
    } catch (DateTimeException e) {
      throw new SilenceRefusal(400, "until: a time such as 2026-03-10T12:00:00Z");
    }
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static ObjectNode json(Silence silence) {
    var json = JsonNodeFactory.instance.objectNode()
        .put("id", silence.id())
        .put("rule", silence.rule())
        .put("subject", silence.subject());
    var labels = json.putObject("labels");
    new TreeMap<>(silence.labels()).forEach(labels::put);
    return json
        .put("from", silence.from().toString())
        .put("until", silence.until().toString())
        .put("who", silence.who())
        .put("comment", silence.comment());
  }
}
