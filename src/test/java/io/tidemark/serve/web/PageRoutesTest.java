package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageRoutesTest {

  static final Path RESOURCES = Path.of("src/main/resources/io/tidemark/serve/web/page");
  private static final Path NETWORKS = Path.of("src/main/resources/io/tidemark/market/networks.json");
  static final HttpClient HTTP = HttpClient.newHttpClient();

  /** What a Content-Security-Policy without unsafe-inline does not run, and what would let a name become markup. */
  static final Pattern FORBIDDEN = Pattern.compile(
      "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|new Function|javascript:|setAttribute\\('style'");

  WebServer server;

  @BeforeEach
  void listen() {
    server = LocalServer.start(List.of(new PageRoutes()));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void root_isThePage_withAPolicyThatForbidsInlineScripts() throws Exception {
    var answer = get("/");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(text(answer)).startsWith("<!doctype html>").contains("<title>Tidemark</title>");
    assertThat(answer.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
    assertThat(answer.headers().firstValue("content-security-policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'").doesNotContain("unsafe", "http");
  }

  @Test
  void head_isAnsweredAsGet_withoutTheBody() throws Exception {
    for (var path : List.of("/", "/page/text.js")) {
      var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).HEAD().build();
      var head = HTTP.send(request, BodyHandlers.ofByteArray());

      assertThat(head.statusCode()).as(path).isEqualTo(200);
      assertThat(head.headers().firstValue("etag")).as(path).isEqualTo(get(path).headers().firstValue("etag"));
      assertThat(head.body()).as(path).isEmpty();
    }
  }

  @Test
  void eachFile_isServedByItsType_andNoOtherIs() throws Exception {
    for (var name : PageRoutes.FILES) {
      var answer = get(name.equals("index.html") ? "/" : "/page/" + name);

      assertThat(answer.statusCode()).as(name).isEqualTo(200);
      assertThat(answer.body()).as(name).isEqualTo(Files.readAllBytes(source(name)));
    }
    assertThat(get("/page/text.js").headers().firstValue("content-type")).hasValue("text/javascript; charset=utf-8");
    assertThat(get("/page/PageRoutes.class").statusCode()).isEqualTo(404);
    assertThat(get("/page/..%2Fpage%2Ftext.js").statusCode()).isEqualTo(404);
  }

  @Test
  void filesOfTheTree_areThoseServed() throws Exception {
    try (var files = Files.walk(RESOURCES)) {
      assertThat(files.filter(Files::isRegularFile))
          .containsExactlyInAnyOrderElementsOf(
              PageRoutes.FILES.stream().map(PageRoutesTest::source).filter(file -> file.startsWith(RESOURCES))
                  .toList());
    }
  }

  @Test
  void fileThatTheBrowserHas_isNotSentAgain() throws Exception {
    var tag = get("/page/text.js").headers().firstValue("etag").orElseThrow();

    var again = get("/page/text.js", "If-None-Match", tag);
    var other = get("/page/text.js", "If-None-Match", "W/\"other\"");

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(again.headers().firstValue("etag")).hasValue(tag);
    assertThat(other.statusCode()).isEqualTo(200);
  }

  @Test
  void browserThatInflates_getsLess() throws Exception {
    var plain = get("/page/vendor/lightweight-charts.js");
    var zipped = get("/page/vendor/lightweight-charts.js", "Accept-Encoding", "gzip, br");

    assertThat(zipped.headers().firstValue("content-encoding")).hasValue("gzip");
    assertThat(zipped.body().length).isLessThan(plain.body().length / 2);
    try (var inflated = new GZIPInputStream(new ByteArrayInputStream(zipped.body()))) {
      assertThat(inflated.readAllBytes()).isEqualTo(plain.body());
    }
  }

  @Test
  void scripts_makeNoMarkupOfText() throws Exception {
    for (var name : PageRoutes.FILES) {
      if (name.endsWith(".js") && !name.startsWith("vendor/")) {
        assertThat(FORBIDDEN.matcher(Files.readString(RESOURCES.resolve(name))).results().map(found -> found.group()))
            .as(name).isEmpty();
      }
    }
    assertThat(text(get("/"))).doesNotContain("<script>", "<style", " style=", "onclick=");
  }

  private static Path source(String name) {
    return name.equals("networks.json") ? NETWORKS : RESOURCES.resolve(name);
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> get(String path, String... headers) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    return HTTP.send(headers.length == 0 ? request.build() : request.headers(headers).build(),
        BodyHandlers.ofByteArray());
  }
}
