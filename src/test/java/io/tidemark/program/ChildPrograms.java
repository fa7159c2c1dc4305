package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Child processes that run the program. What each of them prints is in a file, which is returned when it is started. */
final class ChildPrograms {
  /** What the demo prints before the address of its page. */
  static final Pattern PAGE = Pattern.compile("Open http://(\\S+)/ in a browser");

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Pattern OPTIONS_OF_DEMO = Pattern.compile("\"demo \"\\*\\) tuned=\"([^\"]*)\"");

  private final Path folder;
  private final List<Process> processes = new ArrayList<>();

  ChildPrograms(Path folder) {
    this.folder = folder;
  }

  /** Starts the demo on free ports, with the JVM options of the launcher and the given ones. */
  Path startDemo(String... options) throws IOException {
    var tuned = OPTIONS_OF_DEMO.matcher(Files.readString(Path.of("tidemark")));
    assertThat(tuned.find()).isTrue();
    return start("demo",
        Stream.concat(Stream.of(options), Stream.of(tuned.group(1).split(" ")).filter(each -> each.startsWith("-")))
            .toList(),
        "demo", "--port", "0", "--kafka-port", "0", "--data", folder.resolve("data").toString());
  }

  /** Starts a command with little memory. */
  Path start(String name, String... arguments) throws IOException {
    return start(name, List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), arguments);
  }

  /** Runs a command to its end, which must be without an error. */
  void run(String name, String... arguments) throws IOException, InterruptedException {
    var output = start(name, arguments);
    assertThat(processes.removeLast().waitFor()).as(Files.readString(output)).isZero();
  }

  private Path start(String name, List<String> options, String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(options);
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
        Main.class.getName()));
    command.addAll(List.of(arguments));
    var output = folder.resolve(name + ".output");
    processes.add(new ProcessBuilder(command).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile())).start());
    return output;
  }

  /** Returns the id of the process that was started first. */
  long firstId() {
    return processes.getFirst().pid();
  }

  /** Returns the first group of a pattern in what is printed, once it is there. */
  static String find(Pattern pattern, Path output) {
    return await().atMost(TIMEOUT).until(() -> {
      var found = pattern.matcher(Files.readString(output));
      return found.find() ? found.group(1) : "";
    }, found -> !found.isEmpty());
  }

  void stop() throws InterruptedException {
    for (var process : processes) {
      process.destroy();
      process.waitFor(30, TimeUnit.SECONDS);
      process.destroyForcibly().waitFor();
    }
  }
}
