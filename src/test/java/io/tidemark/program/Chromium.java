package io.tidemark.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Chromium without a window, and a tab of it, over the DevTools protocol. It notes what went wrong in the tab and which
 * addresses it asked for.
 */
final class Chromium implements AutoCloseable {

  private static final List<Path> PLACES = List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"),
      Path.of("/usr/bin/google-chrome"));
  private static final Pattern LISTENS = Pattern.compile("DevTools listening on ws://([^/]+)/");
  private static final int TIMEOUT_SECONDS = 60;

  /** Movements of the mouse between pressing and releasing its button. */
  private static final int DRAG_STEPS = 10;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final String host;
  private final String target;
  private final WebSocket socket;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private boolean measuresProcessorTime;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private Chromium(Process process, String host) throws Exception {
    this.process = process;
    this.host = host;
    var http = HttpClient.newHttpClient();
    var tab = http.send(HttpRequest.newBuilder(URI.create("http://" + host + "/json/new?about:blank"))
        .PUT(HttpRequest.BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    var opened = JSON.readTree(tab.body());
    this.target = opened.path("id").asText();
    var address = opened.path("webSocketDebuggerUrl").asText();
    this.socket = http.newWebSocketBuilder().buildAsync(URI.create(address), new Listener())
        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    for (var domain : List.of("Page", "Runtime", "Log", "Network")) {
      send(domain + ".enable", Map.of());
    }
  }

  /** Starts the browser; the test is skipped if there is none. */
  static Chromium start(Path profile) throws Exception {
    var program = PLACES.stream().filter(Files::isExecutable).findFirst().orElse(null);
    assumeTrue(program != null, "needs Chromium");
    var process =
        new ProcessBuilder(Objects.requireNonNull(program).toString(), "--headless", "--no-sandbox", "--disable-gpu",
            "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-dev-shm-usage", "--enable-precise-memory-info", "--remote-debugging-port=0",
            "--remote-allow-origins=*",
            "--user-data-dir=" + profile, "about:blank").redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    var lines = new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    var seen = new ArrayList<String>();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.add(line);
      var found = LISTENS.matcher(line);
      if (found.find()) {
        var drain = new Thread(() -> lines.lines().forEach(ignored -> {}), "chromium-log");
        drain.setDaemon(true);
        drain.start();
        return new Chromium(process, found.group(1));
      }
    }
    throw new IOException(program + " does not start: " + seen);
  }

  /** Another tab of the same browser, in front of the others. */
  Chromium openTab() throws Exception {
    return new Chromium(process, host);
  }

  void bringToFront() {
    send("Page.bringToFront", Map.of());
  }

  /** Closes this tab alone. */
  void closeTab() throws Exception {
    HttpClient.newHttpClient().send(
        HttpRequest.newBuilder(URI.create("http://" + host + "/json/close/" + target)).build(),
        BodyHandlers.discarding());
    socket.abort();
  }

  /** Runs a script in each page that this tab opens, before the page's own. */
  void runFirst(String script) {
    send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
  }

  void resize(int width, int height) {
    send("Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void prefer(String colorScheme) {
    send("Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
  }

  /** Moves the pressed mouse from the middle of an element to the right, by so many pixels. */
  void drag(String selector, int pixels) {
    var place = evaluate("(box => [box.x + box.width / 2, box.y + box.height / 2])(document.querySelector('" + selector
        + "').getBoundingClientRect())");
    var x = place.get(0).asDouble();
    var y = place.get(1).asDouble();
    mouse("mouseMoved", 0, x, y);
    mouse("mousePressed", 1, x, y);
    for (var step = 1; step <= DRAG_STEPS; step++) { // a chart begins to move with the third
      mouse("mouseMoved", 1, x + (double) pixels * step / DRAG_STEPS, y);
    }
    mouse("mouseReleased", 1, x + pixels, y);
  }

  private void mouse(String type, int buttons, double x, double y) {
    send("Input.dispatchMouseEvent",
        Map.of("type", type, "x", x, "y", y, "button", buttons == 0 ? "none" : "left", "buttons", buttons, "clickCount",
            1));
  }

  void open(String address) {
    send("Page.navigate", Map.of("url", address));
  }

  /** The value of an expression, or of the promise that it is; an exception in the tab is one here. */
  JsonNode evaluate(String expression) {
    var answer = send("Runtime.evaluate",
        Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression.substring(0, Math.min(200, expression.length())) + ": "
          + answer.path("exceptionDetails").path("exception").path("description").asText());
    }
    return answer.path("result").path("value");
  }

  /** Seconds of processor time of the tab's main thread since the first call, by what it did. */
  Map<String, Double> processorTime() {
    if (!measuresProcessorTime) {
      send("Performance.enable", Map.of("timeDomain", "threadTicks"));
      measuresProcessorTime = true;
    }
    var seconds = new HashMap<String, Double>();
    send("Performance.getMetrics", Map.of()).path("metrics")
        .forEach(metric -> seconds.put(metric.path("name").asText(), metric.path("value").asDouble()));
    return seconds;
  }

  /** Of the tab's heap. */
  void collectGarbage() {
    send("HeapProfiler.collectGarbage", Map.of());
  }

  boolean isTrue(String expression) {
    return evaluate("Boolean(" + expression + ")").asBoolean();
  }

  /** Exceptions, errors of the console, and what the Content-Security-Policy forbade. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  void forgetProblems() {
    problems.clear();
  }

  /** All addresses that the tab asked for. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  private JsonNode send(String method, Map<String, ?> parameters) {
    var id = ids.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    answers.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    socket.sendText(message.toString(), true).join();
    return answer.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          take(JSON.readTree(text.toString()));
        } catch (IOException e) {
          problems.add(e.toString());
        }
        text.setLength(0);
      }
      webSocket.request(1);
      return null;
    }

    private void take(JsonNode message) {
      var parameters = message.path("params");
      switch (message.path("method").asText()) {
        case "" -> {
          var answer = answers.remove(message.path("id").asInt());
          if (answer != null && message.has("error")) {
            answer.completeExceptionally(new IllegalStateException(message.path("error").toString()));
          } else if (answer != null) {
            answer.complete(message.path("result"));
          }
        }
        case "Runtime.exceptionThrown" -> problems.add(parameters.path("exceptionDetails").toString());
        case "Log.entryAdded" -> {
          var entry = parameters.path("entry");
          if (entry.path("level").asText().equals("error")) {
            problems.add(entry.path("text").asText() + " " + entry.path("url").asText());
          }
        }
        case "Network.requestWillBeSent" -> requests.add(parameters.path("request").path("url").asText());
        default -> {
          // of no interest
        }
      }
    }
  }
}
