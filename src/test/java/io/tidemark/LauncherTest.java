package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
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

  @Test
  void build_removesTheClassArchiveOfTheJarBefore() throws Exception {
    Files.createFile(folder.resolve("pom.xml"));
    Files.createDirectories(folder.resolve("src/main"));
    var target = Files.createDirectories(folder.resolve("target/lib")).getParent();
    var archive = Files.createFile(target.resolve("launcher.jsa"));
    var maven =
        Files.writeString(folder.resolve("java/bin/mvn"), "#!/bin/sh\ntouch target/tidemark-0.1.0.jar\n").toFile();
    var compiler = Files.createFile(folder.resolve("java/bin/javac")).toFile();
    assertThat(maven.setExecutable(true) && compiler.setExecutable(true)).isTrue();

    assertThat(run("topics")).contains("building");
    assertThat(archive).doesNotExist();
    assertThat(starts()).singleElement().asString().contains("+AutoCreateSharedArchive");
  }

  private List<String> starts() throws IOException {
    return Files.readAllLines(folder.resolve("starts"));
  }

  /** Returns what the script printed. */
  private String run(String arguments) throws Exception {
    var command = new ArrayList<>(List.of("sh", folder.resolve("tidemark").toString()));
    if (!arguments.isEmpty()) {
      command.addAll(List.of(arguments.split(" ", -1)));
    }
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("STARTS", folder.resolve("starts").toString());
    builder.environment().put("TIDEMARK_JAVA_HOME", folder.resolve("java").toString());
    builder.environment().merge("PATH", folder.resolve("java/bin").toString(), (path, ours) -> ours + ":" + path);
    builder.environment().remove("TIDEMARK_ARCHIVE");
    builder.environment().remove("TIDEMARK_JAVA_OPTS");
    var process = builder.start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
