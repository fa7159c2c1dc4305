package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents: links lead somewhere, prose is wrapped, and the types that they name exist. */
class DocumentationTest {

  private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern FENCE = Pattern.compile("^ *```.*?^ *```$", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern STEP = Pattern.compile("(?m)^\\d+\\. `(\\w+(?:\\.\\w+)*)`");
  private static final Pattern TYPE = Pattern.compile("\\bio\\.tidemark(?:\\.[a-z]+)*\\.[A-Z]\\w*");
  private static final int WIDTH = 120;

  static Stream<Path> pages() throws IOException {
    try (var docs = Files.walk(ROOT.resolve("docs"))) {
      var pages = docs.filter(path -> path.toString().endsWith(".md")).toList();
      return Stream.concat(
          Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md", "RATIONALE.md", "BENCHMARKS.md").map(ROOT::resolve),
          pages.stream());
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLink_leadsSomewhere(Path page) {
    var links = LINK.matcher(withoutCode(page)).results()
        .map(match -> match.group(1))
        .filter(link -> !link.startsWith("http"))
        .toList();

    assertThat(links).allSatisfy(link -> assertThat(target(page, link)).exists());
    assertThat(links).filteredOn(link -> link.contains("#")).allSatisfy(
        link -> assertThat(anchors(target(page, link))).contains(link.substring(link.indexOf('#') + 1)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void prose_isWrapped(Path page) {
    var prose = withoutCode(page).lines()
        .filter(line -> !line.startsWith("|") && !line.startsWith("#") && !line.contains("]("));

    assertThat(prose).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(WIDTH));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyTypeWithItsPackage_exists(Path page) {
    var types = TYPE.matcher(text(page)).results().map(MatchResult::group);

    assertThat(types)
        .allSatisfy(type -> assertThatCode(() -> Class.forName(type, false, getClass().getClassLoader()))
            .doesNotThrowAnyException());
  }

  @Test
  void index_hasEveryPage() throws IOException {
    var docs = ROOT.resolve("docs");
    var index = text(docs.resolve("README.md"));

    var others = pages().filter(page -> page.startsWith(docs) && !page.equals(docs.resolve("README.md")));

    assertThat(others.map(docs::relativize)).allSatisfy(page -> assertThat(index).contains("(" + page + ")"));
  }

  /** What a price passes on its way to Kafka and to an alert is short, and written as it is. */
  @Test
  void wayOfAPrice_isShortAndTrue() {
    var page = text(ROOT.resolve("docs/developing/architecture.md"));
    var toKafka = steps(page, "### From bytes to `pool.changes`", "### From `pool.changes` to an alert");
    var toAlert = steps(page, "### From `pool.changes` to an alert", "## ");

    assertThat(sources()).containsAll(toKafka).containsAll(toAlert);
    assertThat(toKafka).hasSizeBetween(8, 20).doesNotHaveDuplicates();
    assertThat(toAlert).hasSizeBetween(4, 12).doesNotHaveDuplicates();
  }

  private static List<String> steps(String page, String from, String to) {
    var begin = page.indexOf(from) + from.length();
    var end = page.indexOf("\n" + to, begin);
    return STEP.matcher(page.substring(begin, end < 0 ? page.length() : end)).results()
        .map(match -> match.group(1)).toList();
  }

  /** All types of the program by package, such as {@code poll.Poller}. */
  private static Set<String> sources() {
    var main = ROOT.resolve("src/main/java/io/tidemark");
    try (var files = Files.walk(main)) {
      return files.filter(path -> path.toString().endsWith(".java"))
          .map(path -> main.relativize(path).toString().replace(".java", "").replace('/', '.'))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String withoutCode(Path page) {
    return FENCE.matcher(text(page)).replaceAll("").lines()
        .filter(line -> !line.startsWith("    "))
        .collect(Collectors.joining("\n"));
  }

  private static Path target(Path page, String link) {
    var path = link.contains("#") ? link.substring(0, link.indexOf('#')) : link;
    return path.isEmpty() ? page : page.resolveSibling(path).normalize();
  }

  /** The anchors that GitHub gives the headings of a page. */
  private static Set<String> anchors(Path page) {
    return text(page).lines()
        .filter(line -> line.matches("#+ .*"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
