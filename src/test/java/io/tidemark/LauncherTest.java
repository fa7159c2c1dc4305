package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code tidemark} in an unpacked release, with a Java that writes down what it is started with. */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {

  private static final String JAVA = """
      #!/bin/sh
      echo "$*" >>"$STARTS"
      """;

  private static final String SYSTEM_PATH = ":" + System.getenv("PATH");

  @TempDir
  Path folder;

  @BeforeEach
  void unpack() throws IOException {
    Files.copy(Path.of("tidemark"), folder.resolve("tidemark"));
    Files.createFile(folder.resolve("tidemark-0.1.0.jar"));
    Files.createDirectories(folder.resolve("lib/embedded"));
    var bin = Files.createDirectories(folder.resolve("java/bin"));
    Files.writeString(folder.resolve("java/release"), "JAVA_VERSION=\"21.0.1\"\n");
    assertThat(Files.writeString(bin.resolve("java"), JAVA).toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--help", "-h", "--version", "-V", "tail --help", "rules apply -h"})
  void helpAndVersion_makeNoClassArchive(String arguments) throws Exception {
    assertThat(run(arguments)).isEmpty();

    assertThat(starts()).singleElement().asString().contains("-XX:-AutoCreateSharedArchive")
        .endsWith(("/tidemark-0.1.0.jar " + arguments).strip());
  }

  @Test
  void otherCommands_letTheJvmMakeTheClassArchive() throws Exception {
    assertThat(run("topics")).isEmpty();

    assertThat(starts()).singleElement().asString()
        .containsPattern("-XX:\\+AutoCreateSharedArchive -XX:SharedArchiveFile=\\S+/launcher\\.jsa")
        .endsWith("/tidemark-0.1.0.jar topics");
  }

  @Test
  void onlyABacktest_isCompiledAsALongRun() throws Exception {
    run("rules apply mine.yaml --help");
    run("rules backtest --help");

    assertThat(starts().getFirst()).contains("-XX:TieredStopAtLevel=1");
    assertThat(starts().getLast()).doesNotContain("-XX:TieredStopAtLevel=1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "run --config tidemark.yaml", "simulate", "rules backtest mine.yaml"})
  void longRunningCommands_endWhenMemoryDoes(String arguments) throws Exception {
    run(arguments);

    assertThat(starts()).singleElement().asString().contains("-XX:+ExitOnOutOfMemoryError");
  }

  /** The script of util-linux gives its command a terminal, but standard input is redirected. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void terminal_isStandardOutputAlone() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "needs script of util-linux");
    run("topics");
    run(SYSTEM_PATH, List.of("/usr/bin/script", "-qec", "/bin/sh " + folder.resolve("tidemark") + " topics </dev/null",
        "/dev/null"));

    assertThat(starts().getFirst()).doesNotContain("tidemark.terminal");
    assertThat(starts().getLast()).contains(" -Dtidemark.terminal=true ");
  }

  @Test
  void build_removesTheClassArchiveOfTheJarBefore() throws Exception {
    var archive = sourcesBuiltBy("java/bin/mvn");

    assertThat(run("topics")).contains("building");
    assertThat(archive).doesNotExist();
    assertThat(starts()).singleElement().asString().contains("+AutoCreateSharedArchive");
  }

  /** The name of the older jar is in front of the newer one's. */
  @Test
  void build_leavesNoJarOfAnotherVersion() throws Exception {
    sourcesBuiltBy("java/bin/mvn");
    var older = Files.createFile(folder.resolve("target/tidemark-0.0.9.jar"));
    Files.setLastModifiedTime(older, FileTime.fromMillis(0));

    assertThat(run("topics")).contains("building");
    assertThat(older).doesNotExist();
    assertThat(starts()).singleElement().asString().endsWith("/target/tidemark-0.1.0.jar topics");
  }

  @Test
  void withoutMaven_theWrapperBuilds() throws Exception {
    sourcesBuiltBy("mvnw");
    for (var tool : "basename cksum cut dirname find flock head mkdir readlink rm sed sh touch tr".split(" ")) {
      var found = Stream.of("/usr/bin", "/bin").map(each -> Path.of(each, tool)).filter(Files::exists).findFirst();
      if (found.isPresent()) {
        Files.createSymbolicLink(folder.resolve("java/bin").resolve(tool), found.get());
      }
    }

    assertThat(run("topics", "")).contains("building");
    assertThat(starts()).hasSize(1);
  }

  /** Lays a source tree, which this file builds, and returns the class archive of the jar before. */
  private Path sourcesBuiltBy(String maven) throws IOException {
    Files.createFile(folder.resolve("pom.xml"));
    Files.createDirectories(folder.resolve("src/main"));
    var target = Files.createDirectories(folder.resolve("target/lib")).getParent();
    var builder = Files.writeString(folder.resolve(maven), "#!/bin/sh\ntouch target/tidemark-0.1.0.jar\n").toFile();
    var compiler = Files.createFile(folder.resolve("java/bin/javac")).toFile();
    assertThat(builder.setExecutable(true) && compiler.setExecutable(true)).isTrue();
    return Files.createFile(target.resolve("launcher.jsa"));
  }

  private List<String> starts() throws IOException {
    return Files.readAllLines(folder.resolve("starts"));
  }

  private String run(String arguments) throws Exception {
    return run(arguments, SYSTEM_PATH);
  }

  private String run(String arguments, String path) throws Exception {
    var command = new ArrayList<>(List.of("/bin/sh", folder.resolve("tidemark").toString()));
    if (!arguments.isEmpty()) {
      command.addAll(List.of(arguments.split(" ", -1)));
    }
    return run(path, command);
  }

  /** Returns what the command printed. */
  private String run(String path, List<String> command) throws Exception {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("STARTS", folder.resolve("starts").toString());
    builder.environment().put("TIDEMARK_JAVA_HOME", folder.resolve("java").toString());
    builder.environment().put("PATH", folder.resolve("java/bin") + path);
    builder.environment().remove("TIDEMARK_ARCHIVE");
    builder.environment().remove("TIDEMARK_JAVA_OPTS");
    var process = builder.start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
