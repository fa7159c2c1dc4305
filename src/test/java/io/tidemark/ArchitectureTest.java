package io.tidemark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecordBuilderBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The map of the packages: which package imports which. */
class ArchitectureTest {

  /**
   * What a package with its sub-packages imports of ours, besides itself: all of it is in use, and nothing else is.
   * Only {@code cli} has no row: it wires everything.
   */
  static final List<Row> ROWS = List.of(
      row("event"),
      row("market", "event"),
      row("http.wire", "market", "event"),
      row("http.client", "http.wire", "market", "event"),
      row("http.server", "http.wire", "market", "event"),
      row("http.simulated", "http.server", "http.wire", "market"),
      row("simulator", "market", "event"),
      row("poll", "market", "event"),
      row("change", "market", "event"),
      row("topic", "event"),
      row("ledger", "change", "topic", "event"),
      row("source", "poll", "change", "ledger", "rule", "http.client", "topic", "market", "event"),
      row("rule", "event", "yaml"),
      row("stream", "rule", "topic", "event"),
      row("receiver", "topic", "event"),
      row("audit", "topic", "event"),
      row("mirror", "market", "topic", "event"),
      row("feed", "rule", "topic", "event", "yaml"),
      row("access", "yaml"),
      row("web", "access", "http.server", "http.wire", "market", "feed", "rule", "topic", "event", "yaml"),
      row("embedded", "config"),
      row("yaml"),
      row("config", "access", "source", "poll", "change", "http.client", "http.server", "http.wire", "receiver", "rule",
          "yaml", "topic", "market", "event"),
      row("metrics", "source", "ledger", "poll", "change", "stream", "receiver", "mirror", "feed", "web", "topic",
          "market", "event"),
      row("bench", "io.tidemark.cli.command", "io.tidemark.cli.print", "io.tidemark.cli.wiring", "io.tidemark.cli.demo",
          "config", "simulator", "http.simulated", "http.wire", "http.client", "http.server", "source", "poll",
          "change", "ledger",
          "stream", "rule", "mirror", "feed", "web", "embedded", "topic", "market", "event"));

  /** The types of the simulator that other packages use; the rest may move without anybody hearing of it. */
  static final Set<String> DOORS_OF_THE_SIMULATOR = Set.of("Simulator", "SimulatorSettings", "Scenario");

  /** More than a reader keeps in mind: a package of more files is split. */
  static final int MOST_FILES = 40;

  static final String EMPTY_NAMES = ".*(Manager|Service|Helper|Utils?|Impl|Handler)";

  static final JavaClasses OURS =
      new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.tidemark");

  @ParameterizedTest
  @FieldSource("ROWS")
  void eachPackage_importsWhatTheMapSays(Row row) {
    var imported = OURS.stream()
        .filter(in(row.name()))
        .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
        .map(each -> each.getTargetClass().getBaseComponentType())
        .filter(each -> each.getPackageName().startsWith("io.tidemark") && !in(row.name()).test(each))
        .map(each -> rowOf(each.getPackageName()))
        .collect(Collectors.toCollection(TreeSet::new));

    assertThat(imported).containsExactlyInAnyOrderElementsOf(row.imports());
  }

  @Test
  void everyPackageButCli_hasARow() {
    var others = OURS.stream().map(JavaClass::getPackageName).filter(each -> rowOf(each).equals(each)).distinct();

    assertThat(others).allMatch(each -> each.startsWith("io.tidemark.cli") || each.equals("io.tidemark.http"));
  }

  @Test
  void simulator_isReachedThroughItsDoors() {
    var behindTheDoors = DescribedPredicate.describe("stand behind the doors of the simulator",
        (JavaClass each) -> in("simulator").test(each) && !DOORS_OF_THE_SIMULATOR.contains(each.getSimpleName()));

    noClasses().that(DescribedPredicate.not(in("simulator"))).should().dependOnClassesThat(behindTheDoors).check(OURS);
  }

  /** An installation for production lacks both, and the demo does not need the bench. */
  @Test
  void main_importsNeitherDemoNorBench() {
    var demo = of("src/demo/java");
    var bench = of("src/bench/java");

    assertThat(OURS.stream().filter(demo)).isNotEmpty();
    noClasses().that(DescribedPredicate.not(demo.or(bench))).should().dependOnClassesThat(demo.or(bench)).check(OURS);
    noClasses().that(demo).should().dependOnClassesThat(bench).check(OURS);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("io.tidemark.(**)").should().beFreeOfCycles().check(OURS);
  }

  @Test
  void names_sayWhatAThingIs() {
    noClasses().should().haveNameMatching(EMPTY_NAMES).check(OURS);
  }

  @Test
  void oneSimpleName_isOneType() {
    var types = new TreeMap<String, Set<String>>();
    OURS.stream()
        .filter(each -> !each.getSimpleName().isEmpty() && !each.getSimpleName().equals("package-info"))
        .filter(each -> !each.isAssignableTo(SpecificRecordBuilderBase.class)) // of generated classes
        .forEach(each -> types.computeIfAbsent(each.getSimpleName(), name -> new TreeSet<>()).add(each.getName()));

    types.values().removeIf(each -> each.size() == 1);
    assertThat(types).isEmpty();
  }

  @Test
  void packages_areNoLargerThanAReaderKeepsInMind() {
    var sizes = topLevel().stream()
        .filter(each -> !each.getPackageName().equals("io.tidemark.event"))
        .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

    assertThat(sizes.values()).allMatch(each -> each < MOST_FILES, "types, with the package's own description");
  }

  private static List<JavaClass> topLevel() {
    return OURS.stream().filter(each -> each.isTopLevelClass() && !each.getSimpleName().equals("package-info"))
        .toList();
  }

  private static String rowOf(String packageName) {
    return ROWS.stream().map(Row::name).filter(each -> isIn(packageName, each)).findFirst().orElse(packageName);
  }

  private static boolean isIn(String packageName, String row) {
    return (packageName + ".").startsWith("io.tidemark." + row + ".");
  }

  private static DescribedPredicate<JavaClass> in(String row) {
    return resideInAPackage("io.tidemark." + row + "..");
  }

  private static DescribedPredicate<JavaClass> of(String sourceFolder) {
    return DescribedPredicate.describe("are of " + sourceFolder, each -> Files.exists(
        Path.of(sourceFolder, each.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java")));
  }

  private static Row row(String name, String... imports) {
    return new Row(name, Set.copyOf(Arrays.asList(imports)));
  }

  /**
   * A row of the map.
   *
   * @param name of a package, with its sub-packages, below {@code io.tidemark}
   * @param imports the rows it imports
   */
  record Row(String name, Set<String> imports) {}
}
