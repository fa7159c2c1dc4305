package io.tidemark.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The chart, rendered by Helm. */
final class Chart {

  static final Path FOLDER = Path.of(System.getProperty("basedir", ".")).resolve("helm/tidemark").toAbsolutePath();

  private Chart() {}

  /** The example value files of the chart. */
  static List<Path> valueFiles() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("ci"))) {
      return files.sorted().toList();
    }
  }

  static Path valueFile(String name) {
    return FOLDER.resolve("ci").resolve(name + "-values.yaml");
  }

  /** Renders a value file, and values over it; without hooks. */
  static List<JsonNode> manifests(Path values, Map<String, String> over) {
    return manifests(FOLDER, values, over);
  }

  static List<JsonNode> manifests(String values, String kind) {
    return manifests(valueFile(values), Map.of()).stream()
        .filter(each -> each.path("kind").asText().equals(kind)).toList();
  }

  /** The pod of {@code helm test}: rendered from a copy in which it is no hook, as Helm omits hooks. */
  static JsonNode test(Path values, Path copy) throws IOException {
    copy(copy);
    var file = copy.resolve("templates/tests/ready.yaml");
    Files.writeString(file, Files.readString(file).replace("helm.sh/hook: test", "was/hook: test"));
    return manifests(copy, values, Map.of()).stream()
        .filter(each -> each.path("kind").asText().equals("Pod")).findFirst().orElseThrow();
  }

  /**
   * Whatever a strict lint finds; empty where nothing is. Lint takes no value files: it is given a copy of the chart with
   * those values as defaults.
   */
  static List<String> lint(Path values, Path copy) throws IOException {
    copy(copy);
    var yaml = new YAMLMapper();
    var defaults = yaml.readTree(FOLDER.resolve("values.yaml").toFile());
    var merged = yaml.readerForUpdating(defaults).<JsonNode>readValue(values.toFile());
    yaml.writeValue(copy.resolve("values.yaml").toFile(), merged);
    var found = new Helm(copy).lint().strict().call();
    return found.isFailed() ? found.getMessages() : List.of();
  }

  private static List<JsonNode> manifests(Path chart, Path values, Map<String, String> over) {
    var template = new Helm(chart).template().withName("tm").withNamespace("data").withKubeVersion("1.31.0")
        .withValuesFile(values);
    over.forEach(template::set);
    var manifests = new ArrayList<JsonNode>();
    try (var documents = new YAMLMapper().readerFor(JsonNode.class).<JsonNode>readValues(template.call())) {
      documents.forEachRemaining(manifests::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    manifests.removeIf(each -> !each.isObject());
    return manifests;
  }

  private static void copy(Path to) throws IOException {
    try (var files = Files.walk(FOLDER)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var target = to.resolve(FOLDER.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }
}
