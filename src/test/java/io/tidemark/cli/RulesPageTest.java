package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.ShippedRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page on rules is true: its examples are valid, its errors are reported, its schema for editors is current. */
class RulesPageTest {

  static final String PAGE = text("rules.md");
  static final Pattern ERROR = Pattern.compile("\\| `(\\w+): (.*)` \\| `(.*)` \\|");

  record Wrong(String key, String value, String message) {}

  @Test
  void schemaForEditors_isThatOfTheProgram() {
    assertThat(text("rules.schema.json")).isEqualTo(ShippedRules.schema());
  }

  @Test
  void examples_areRight() {
    assertThat(examples().mapToInt(example -> read(example).rules().size()).sum()).isEqualTo(29);
  }

  @Test
  void testsInThePage_pass(@TempDir Path folder) throws IOException {
    var files = new ArrayList<>(List.of("rules", "test"));
    for (var example : examples().filter(each -> each.contains("\ntests:")).toList()) {
      files.add(Files.writeString(folder.resolve("test" + files.size() + ".yaml"), example).toString());
    }
    var out = new StringWriter();

    assertThat(Main.commandLine().setOut(new PrintWriter(out)).execute(files.toArray(String[]::new))).as(out::toString)
        .isZero();
    assertThat(out.toString().lines()).hasSize(16).allMatch(line -> line.startsWith("ok "));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void errors_areSaid(Wrong wrong) {
    assertThatThrownBy(() -> read(rule(wrong)))
        .isInstanceOf(RuleException.class)
        .hasMessageContaining(": " + wrong.message());
  }

  static Stream<Wrong> errors() {
    var table = PAGE.substring(PAGE.indexOf("## What the errors mean"), PAGE.indexOf("## Ten rules"));
    return ERROR.matcher(table).results()
        .map(row -> new Wrong(row.group(1), row.group(2).replace("\\|", "|"), row.group(3)));
  }

  private static Stream<String> examples() {
    return Stream.of(PAGE.split("```yaml( \\S+\\.yaml)?\n")).skip(1)
        .map(block -> block.substring(0, block.indexOf("```")));
  }

  /** A rule that is right, but for one key. */
  private static String rule(Wrong wrong) {
    var keys = new LinkedHashMap<>(Map.of(
        "name", "x", "on", "pool.changes", "when", "changed.price", "annotations", "{ summary: \"x\" }"));
    keys.put(wrong.key(), wrong.value());
    return keys.entrySet().stream()
        .map(key -> key.getKey() + ": " + key.getValue())
        .collect(Collectors.joining("\n    ", "rules:\n  - ", "\n"));
  }

  private static RuleSet read(String rules) {
    var topics = new Topics("tidemark.", Retention.DEFAULT).ruleSchemas();
    return RuleSetReader.read(List.of(new RuleDocument("mine.yaml", rules)), topics, List.of());
  }

  private static String text(String page) {
    try {
      return Files.readString(Path.of(System.getProperty("basedir", "."), "docs/using", page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
