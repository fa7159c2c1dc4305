package io.tidemark.topic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Questions to a Confluent-compatible registry, one at a time; one that gets no answer is asked again a few times. */
final class RegistryClient {

  /** Enough for a registry that restarts behind a balancer or collects its garbage. */
  static final List<Duration> RETRY_PAUSES =
      List.of(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(3));

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);
  private static final Logger LOG = LoggerFactory.getLogger(RegistryClient.class);
  private static final String TYPE = "application/vnd.schemaregistry.v1+json";
  private static final int MAX_MESSAGE_LENGTH = 500;

  private final ObjectMapper json = new ObjectMapper();
  private final String url;
  private final @Nullable RegistryLogin login;
  private final HttpClient http;
  private final List<Duration> pauses;

  /** @param pauses how long to wait before each repetition */
  RegistryClient(URI url, @Nullable RegistryLogin login, HttpClient http, List<Duration> pauses) {
    this.url = url.toString().replaceAll("/+$", "");
    this.login = login;
    this.http = http;
    this.pauses = pauses;
  }

  JsonNode get(String path) {
    return ask(to(path).GET().build());
  }

  JsonNode post(String path, JsonNode body) {
    return ask(to(path).header("Content-Type", TYPE).POST(BodyPublishers.ofString(body.toString())).build());
  }

  private HttpRequest.Builder to(String path) {
    var request = HttpRequest.newBuilder(URI.create(url + path)).timeout(REQUEST_TIMEOUT).header("Accept", TYPE);
    return login == null ? request : request.header("Authorization", login.basic());
  }

  private JsonNode ask(HttpRequest request) {
    for (var pause : pauses) {
      try {
        return askOnce(request);
      } catch (RegistryFailure.RegistryUnreachable e) {
        LOG.debug("asked again in {}: {}", pause, e.getMessage());
        sleep(pause);
      }
    }
    return askOnce(request);
  }

  private JsonNode askOnce(HttpRequest request) {
    try {
      return checked(http.send(request, BodyHandlers.ofString()));
    } catch (SSLException e) {
      throw new RegistryFailure.RegistryUnreachable(
          this + " is not trusted (" + e.getMessage() + "); check registry.ca-file",
          e);
    } catch (IOException e) {
      throw new RegistryFailure.RegistryUnreachable(this + " does not answer (" + e + "); check registry.url", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void sleep(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private RegistryFailure.RegistryUnreachable interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new RegistryFailure.RegistryUnreachable(this + ": interrupted while waiting for its answer", e);
  }

  private JsonNode checked(HttpResponse<String> answer) {
    var status = answer.statusCode();
    var body = parsed(answer.body());
    var said =
        "%s: %s answered %d: %s".formatted(this, answer.request().uri().getPath(), status, errorMessage(answer, body));
    if (status >= 500) {
      throw new RegistryFailure.RegistryUnreachable(said, null);
    }
    if (status == 404 && body.path("error_code").asInt() == 40403) {
      throw new RegistryFailure.UnknownSchema(said + "; was it written with another registry?");
    }
    if (status == 401 || status == 403) {
      throw new RegistryFailure.RejectedByRegistry(said + "; check registry.user and registry.password");
    }
    if (status != 200) {
      throw new RegistryFailure.RejectedByRegistry(said);
    }
    return body;
  }

  /** What the registry says for people, else the beginning of what it sent. */
  private static String errorMessage(HttpResponse<String> answer, JsonNode body) {
    var message = body.path("message").asText(answer.body());
    return message.substring(0, Math.min(message.length(), MAX_MESSAGE_LENGTH));
  }

  private JsonNode parsed(String body) {
    try {
      return json.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  @Override
  public String toString() {
    return "registry " + url;
  }
}
