package io.tidemark.kafka.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.event.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of a schema registry with Confluent's REST interface, such as Confluent Schema Registry, Apicurio
 * ({@code /apis/ccompat/v7}), Karapace or Redpanda. Requests each schema and each id until the registry has answered
 * once. A call blocks, retries three times if the registry does not answer, and then fails. An answer that says
 * nothing about the schema or the id, such as an error of a proxy, counts as no answer.
 *
 * <p>A request for an id that the registry does not know counts as unanswered for an hour after this client first
 * learned it, since the registry may lag or be restored. After an hour the client gives the id up and reports it as
 * unknown, since a record that another program wrote must not block its readers for ever.
 */
public final class ConfluentRegistry implements SchemaRegistry {

  public static final String IDENTITY = "external";

  private static final Logger LOG = LoggerFactory.getLogger(ConfluentRegistry.class);
  /** Type of a schema whose type the registry leaves out. */
  private static final String AVRO = "AVRO";
  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";
  /**
   * Time in which an answer has to be complete. The timeout of {@link HttpRequest} would end with the answer's head.
   */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(15);
  private static final int MAX_ANSWER_BYTES = 4 << 20;
  /** Status codes with which the registry refuses to register a schema that is incompatible (409) or invalid (422). */
  private static final Set<Integer> VERDICTS = Set.of(409, 422);
  private static final String VERSIONS = "/versions";
  /** Status codes of a registry that does not look schemas up, or not for this login. */
  private static final Set<Integer> NO_LOOK_UP = Set.of(403, 404, 405);
  /** Error codes of the registry for an unknown subject, and schema or id. A 404 from a proxy has no error code. */
  private static final Set<Integer> UNKNOWN = Set.of(40401, 40403);
  private static final Predicate<SchemaRegistryFailure> UNANSWERED =
      failure -> failure instanceof SchemaRegistryFailure.RegistryUnreachable;
  private static final Predicate<SchemaRegistryFailure> UNANSWERED_OR_UNKNOWN =
      UNANSWERED.or(failure -> failure instanceof SchemaRegistryFailure.UnknownSchema);

  private static final Duration UNKNOWN_AFTER = Duration.ofHours(1);

  /**
   * Pause before an id that was given up is requested again. Without this pause, each record with this id would delay
   * its readers by seconds.
   */
  private static final Duration ASKED_AGAIN_AFTER = Duration.ofMinutes(5);
  private static final int MAX_MESSAGE_LENGTH = 500;

  /**
   * Pauses before retries. They are long enough for a registry that restarts behind a load balancer or collects
   * garbage.
   */
  private static final List<Duration> RETRY_PAUSES =
      List.of(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(3));

  private final BuiltInRegistry builtIn = new BuiltInRegistry(List.of());
  private final ObjectMapper json = new ObjectMapper();
  private final String url;
  private final @Nullable Secret login;
  private final HttpClient http;
  private final List<Duration> retryPauses;
  private final Duration answerTimeout;
  private final InstantSource clock;

  private final Map<Integer, UnknownId> unknown = new ConcurrentHashMap<>();
  private final Map<Registration, Integer> ids = new ConcurrentHashMap<>();
  private final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();
  /** Messages about ids whose schemas are not Avro. A registry never changes the schema of an id. */
  private final Map<Integer, String> notAvro = new ConcurrentHashMap<>();

  /** The times of the first and the last request to which the registry answered that it does not know an id. */
  private record UnknownId(Instant since, Instant askedAt) {}

  private record Registration(String subject, CanonicalSchema schema) {}

  /**
   * @param url base URL, to which {@code /subjects} is appended
   * @param login {@code user:password}, for basic authentication
   * @param http client with the TLS and proxy settings of the registry
   */
  public ConfluentRegistry(URI url, @Nullable Secret login, HttpClient http) {
    this(url, login, http, RETRY_PAUSES, ANSWER_TIMEOUT, InstantSource.system());
  }

  /**
   * @param retryPauses pauses before the retries of an unanswered request; their number is the number of retries
   * @param answerTimeout time in which an answer has to be complete
   */
  public ConfluentRegistry(URI url, @Nullable Secret login, HttpClient http, List<Duration> retryPauses,
      Duration answerTimeout, InstantSource clock) {
    this.url = url.toString().replaceAll("/+$", "");
    this.login = login;
    this.http = http;
    this.retryPauses = retryPauses;
    this.answerTimeout = answerTimeout;
    this.clock = clock;
  }

  @Override
  public String identity() {
    return IDENTITY;
  }

  @Override
  public int id(String subject, Schema schema) {
    return ids.computeIfAbsent(new Registration(subject, CanonicalSchema.of(schema)), this::idOf);
  }

  @Override
  public Schema schema(int id) {
    return schemas.computeIfAbsent(id, this::fetch);
  }

  @Override
  public BuiltInRegistry builtIn() {
    return builtIn;
  }

  /** Does nothing: the registry alone assigns ids. */
  @Override
  public void addKnown(Schema schema) {}

  /**
   * Returns the id of a schema that is registered, or registers it. A registry may allow the first to a login that must
   * not register schemas. If the lookup itself is refused, registers the schema.
   */
  private int idOf(Registration wanted) {
    var subject = "/subjects/" + wanted.subject();
    try {
      return member(send(post(subject, wanted.schema()), UNANSWERED), "id").asInt();
    } catch (SchemaRegistryFailure.UnknownSchema e) {
      return member(send(post(subject + VERSIONS, wanted.schema()), UNANSWERED), "id").asInt();
    }
  }

  private HttpRequest post(String path, CanonicalSchema schema) {
    var body = JsonNodeFactory.instance.objectNode().put("schema", schema.json());
    return request(path).header("Content-Type", MEDIA_TYPE).POST(BodyPublishers.ofString(body.toString())).build();
  }

  private Schema fetch(int id) {
    var known = notAvro.get(id);
    if (known != null) {
      throw new SchemaRegistryFailure.NotAvro(known);
    }
    var answer = answerFor(id);
    var text = member(answer, "schema").asText();
    var type = answer.path("schemaType").asText(AVRO);
    if (!type.equals(AVRO)) {
      throw notAvro(id, "of type " + type);
    }
    try {
      return new Schema.Parser().parse(text);
    } catch (RuntimeException e) { // an unresolved reference makes Avro throw a NullPointerException
      throw notAvro(id, "that is not valid Avro (" + e.getMessage() + ")");
    }
  }

  private SchemaRegistryFailure.NotAvro notAvro(int id, String what) {
    var message = "%s returned a schema for id %d %s: probably another program wrote the value".formatted(
        this, id, cut(what));
    notAvro.put(id, message);
    return new SchemaRegistryFailure.NotAvro(message);
  }

  private JsonNode answerFor(int id) {
    var before = unknown.get(id);
    if (before != null && isGivenUp(before.since(), before.askedAt())
        && clock.instant().isBefore(before.askedAt().plus(ASKED_AGAIN_AFTER))) {
      throw new SchemaRegistryFailure.UnknownSchema("%s has not known schema id %d since %s".formatted(
          this, id, before.since().truncatedTo(ChronoUnit.SECONDS)));
    }
    try {
      var answer = send(
          request("/schemas/ids/" + id).GET().build(), before == null ? UNANSWERED_OR_UNKNOWN : UNANSWERED);
      unknown.remove(id);
      return answer;
    } catch (SchemaRegistryFailure.UnknownSchema e) {
      var now = clock.instant();
      var since = before == null ? now : before.since();
      unknown.put(id, new UnknownId(since, now));
      if (isGivenUp(since, now)) {
        throw e;
      }
      throw new SchemaRegistryFailure.RegistryUnreachable(
          e.getMessage() + "; does the registry lag, or did the writer use another registry? Reading records with"
              + " this id is retried until " + since.plus(UNKNOWN_AFTER).truncatedTo(ChronoUnit.SECONDS),
          e);
    }
  }

  private static boolean isGivenUp(Instant since, Instant askedAt) {
    return !askedAt.isBefore(since.plus(UNKNOWN_AFTER));
  }

  private JsonNode member(JsonNode answer, String name) {
    var value = answer.get(name);
    if (value == null) {
      throw new SchemaRegistryFailure.RegistryUnreachable(
          "%s returned an answer without '%s'; is registry.url the address of a Confluent-compatible interface?"
              .formatted(this, name),
          null);
    }
    return value;
  }

  private HttpRequest.Builder request(String path) {
    var request = HttpRequest.newBuilder(URI.create(url + path)).header("Accept", MEDIA_TYPE);
    return login == null
        ? request
        : request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.value().getBytes(UTF_8)));
  }

  private JsonNode send(HttpRequest request, Predicate<SchemaRegistryFailure> isRetried) {
    for (var pause : retryPauses) {
      try {
        return sendOnce(request);
      } catch (SchemaRegistryFailure e) {
        if (!isRetried.test(e)) {
          throw e;
        }
        LOG.debug("{}; retrying in {}", e.getMessage(), pause);
        sleep(pause);
      }
    }
    return sendOnce(request);
  }

  private JsonNode sendOnce(HttpRequest request) {
    var answer = http.sendAsync(request, head -> new BoundedBody());
    try {
      return checked(answer.get(answerTimeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (ExecutionException e) {
      var cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new SchemaRegistryFailure.RegistryUnreachable(cause instanceof SSLException
          ? this + " is not trusted (" + cause.getMessage() + "); check registry.ca-file"
          : this + " does not answer (" + cause + "); check registry.url", cause);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new SchemaRegistryFailure.RegistryUnreachable("%s does not answer (no complete answer within %d ms); check"
          .formatted(this, answerTimeout.toMillis()) + " registry.url", e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw interrupted(e);
    }
  }

  private JsonNode checked(HttpResponse<String> response) {
    var status = response.statusCode();
    var body = parse(response.body());
    var message =
        "%s: %s answered %d: %s".formatted(this, response.request().uri().getPath(), status, message(response, body));
    if (VERDICTS.contains(status)) {
      throw new SchemaRegistryFailure.RejectedByRegistry(message);
    }
    var path = response.request().uri().getPath();
    var isLookUp = response.request().method().equals("POST") && !path.endsWith(VERSIONS);
    if (UNKNOWN.contains(body.path("error_code").asInt()) || (isLookUp && NO_LOOK_UP.contains(status))) {
      throw new SchemaRegistryFailure.UnknownSchema(message);
    }
    if (status != 200) {
      throw new SchemaRegistryFailure.RegistryUnreachable(message + switch (status) {
        case 401 -> "; check registry.user and registry.password";
        case 403 -> "; check registry.user and registry.password" + (path.endsWith(VERSIONS)
            ? ". If this login may not register schemas, run 'tidemark schemas push' with one that may"
            : "");
        case 404 -> "; is registry.url the address of a Confluent-compatible interface?";
        default -> "";
      }, null);
    }
    return body;
  }

  /** Returns the registry's message for people, or the beginning of the body if the body contains no message. */
  private static String message(HttpResponse<String> response, JsonNode body) {
    var message = body.path("message").asText(response.body());
    return cut(message);
  }

  private static String cut(String message) {
    return message.substring(0, Math.min(message.length(), MAX_MESSAGE_LENGTH));
  }

  private JsonNode parse(String body) {
    try {
      return json.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  private void sleep(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private SchemaRegistryFailure.RegistryUnreachable interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new SchemaRegistryFailure.RegistryUnreachable(this + ": interrupted while waiting for its answer", e);
  }

  @Override
  public String toString() {
    return "registry " + url;
  }

  /** The text of an answer's body. Fails if the body has more than {@link #MAX_ANSWER_BYTES}. */
  private static final class BoundedBody implements BodySubscriber<String> {
    private final BodySubscriber<String> text = BodySubscribers.ofString(UTF_8);
    private Flow.@Nullable Subscription subscription;
    private long bytes;

    @Override
    public CompletionStage<String> getBody() {
      return text.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription to) {
      subscription = to;
      text.onSubscribe(to);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      bytes += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
      if (bytes <= MAX_ANSWER_BYTES) {
        text.onNext(buffers);
      } else {
        Objects.requireNonNull(subscription).cancel();
        text.onError(new IOException("an answer of more than " + MAX_ANSWER_BYTES + " bytes"));
      }
    }

    @Override
    public void onError(Throwable failure) {
      text.onError(failure);
    }

    @Override
    public void onComplete() {
      text.onComplete();
    }
  }
}
