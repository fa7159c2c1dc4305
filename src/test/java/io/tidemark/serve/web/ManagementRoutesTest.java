package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.serve.web.Health.HealthPart;
import io.tidemark.serve.web.Health.HealthStatus;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ManagementRoutesTest {

  static final HealthPart STREAMS = new HealthPart("streams of main", HealthStatus.UP, "running");
  static final HttpClient HTTP = HttpClient.newHttpClient();

  volatile HealthPart program = new HealthPart("program", HealthStatus.UP, "started");
  volatile HealthPart source = new HealthPart("source main", HealthStatus.UP, "polling");
  WebServer server;

  @BeforeEach
  void listen() {
    var routes = new ManagementRoutes(() -> new Health(List.of(program)),
        () -> new Health(List.of(STREAMS)), () -> new Health(List.of(STREAMS, source)), () -> "calls_total 3\n");
    server = LocalServer.start(List.of(routes));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void allWell_isUp() throws Exception {
    var answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"status\":\"up\",\"parts\":{"
        + "\"streams of main\":{\"status\":\"up\",\"message\":\"running\"},"
        + "\"source main\":{\"status\":\"up\",\"message\":\"polling\"}}}");
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
  }

  @Test
  void degradedPart_isNamed_withStatus200() throws Exception {
    source = new HealthPart("source main", HealthStatus.DEGRADED, "the service refuses the key");

    var answer = get("/health/ready");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).startsWith("{\"status\":\"degraded\"").contains("the service refuses the key");
  }

  @Test
  void partThatIsDown_isUnavailable() throws Exception {
    source = new HealthPart("source main", HealthStatus.DOWN, "restoring: 3 of about 10 records");

    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/live").statusCode()).as("liveness does not depend on that part").isEqualTo(200);
  }

  @Test
  void startup_endsWithTheStartOfTheProgram_notWithARestore() throws Exception {
    source = new HealthPart("source main", HealthStatus.DOWN, "restoring: 3 of about 10 records");
    assertThat(get("/health/started").statusCode()).isEqualTo(200);

    program = new HealthPart("program", HealthStatus.DOWN, "starting");
    assertThat(get("/health/started").statusCode()).isEqualTo(503);
    assertThat(head("/health/started").statusCode()).isEqualTo(503);
  }

  @Test
  void metrics_haveTheTypeThatPrometheusReads() throws Exception {
    var answer = get("/metrics");

    assertThat(answer.body()).isEqualTo("calls_total 3\n");
    assertThat(answer.headers().firstValue("content-type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
  }

  @Test
  void metrics_areCompressedForWhoTakesIt() throws Exception {
    var request = request("/metrics").header("Accept-Encoding", "deflate, gzip;q=0.9").build();
    var answer = HTTP.send(request, BodyHandlers.ofByteArray());

    assertThat(answer.headers().firstValue("content-encoding")).hasValue("gzip");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes())
        .isEqualTo("calls_total 3\n".getBytes(UTF_8));
  }

  @Test
  void metrics_areNotCompressedForWhoRefusesIt() throws Exception {
    var request = request("/metrics").header("Accept-Encoding", "gzip;q=0, deflate").build();

    assertThat(HTTP.send(request, BodyHandlers.ofString()).body()).isEqualTo("calls_total 3\n");
  }

  @Test
  void head_hasTheStatusOfHealth_withoutItsBody() throws Exception {
    assertThat(head("/health/live").statusCode()).isEqualTo(200);
    assertThat(head("/health/ready").body()).isEmpty();

    source = new HealthPart("source main", HealthStatus.DOWN, "restoring");
    assertThat(head("/health/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void anythingElse_isNotThere() throws Exception {
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/registry/subjects").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> head(String path) throws Exception {
    return HTTP.send(request(path).method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private HttpResponse<String> get(String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build();
    return HTTP.send(request, BodyHandlers.ofString());
  }
}
