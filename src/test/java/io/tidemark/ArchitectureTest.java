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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBuilderBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The map of the rooms and of their packages: which imports which. */
class ArchitectureTest {

  /**
   * The rooms, in the order of the data, each with the rooms that it imports: all of them are in use, and no other is. A
   * room is a package with its sub-packages. {@code bench} and {@code cli.demo} are not rooms of the program: they start
   * all of it.
   */
  static final List<Row> ROOMS = List.of(
      row("event"),
      row("market", "event"),
      row("http", "market", "event"),
      row("simulator", "http", "market", "event"),
      row("kafka", "event"),
      row("capture", "http", "kafka", "market", "event"),
      row("yaml", "event"),
      row("rule", "yaml", "event"),
      row("stream", "rule", "kafka", "event"),
      row("notify", "kafka", "event"),
      row("serve", "rule", "kafka", "http", "market", "event"),
      row("audit", "kafka", "event"),
      row("app", "serve", "notify", "stream", "rule", "yaml", "capture", "kafka", "http", "market", "event"),
      row("cli", "app", "audit", "serve", "notify", "stream", "rule", "capture", "kafka", "http", "market", "event"));

  /** More arrows between rooms than this, without the simulator's, are more than one picture shows. */
  static final int MOST_ARROWS = 44;

  /** The packages within rooms, each with the packages of its room that it imports. */
  static final List<Row> PACKAGES = List.of(
      row("http.wire"),
      row("http.client", "http.wire"),
      row("http.server", "http.wire"),
      row("simulator.server"),
      row("kafka", "kafka.registry"),
      row("kafka.registry"),
      row("kafka.embedded", "kafka"),
      row("capture.poll"),
      row("capture.change"),
      row("capture.ledger", "capture.change"),
      row("capture.source", "capture.poll", "capture.change", "capture.ledger"),
      row("rule", "rule.expression"),
      row("rule.expression"),
      row("rule.file", "rule", "rule.expression"),
      row("stream", "stream.tick", "stream.candle", "stream.aggregate", "stream.alert"),
      row("stream.tick"),
      row("stream.candle", "stream.tick"),
      row("stream.aggregate", "stream.tick"),
      row("stream.alert", "stream.tick"),
      row("serve.access"),
      row("serve.mirror"),
      row("serve.feed"),
      row("serve.candle", "serve.feed"),
      row("serve.web", "serve.access", "serve.candle", "serve.feed", "serve.mirror"),
      row("app", "app.config", "app.metrics"),
      row("app.config"),
      row("app.log"),
      row("app.metrics"));

  /** The types of the simulator that other packages use; the rest may move without anybody hearing of it. */
  static final Set<String> DOORS_OF_THE_SIMULATOR = Set.of("Simulator", "SimulatorSettings", "Scenario");

  /** More than a reader keeps in mind: a package of more files is split. */
  static final int MOST_FILES = 40;

  static final String EMPTY_NAMES = ".*(Manager|Service|Helper|Utils?|Impl|Handler)";

  static final JavaClasses OURS =
      new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.tidemark");

  @ParameterizedTest
  @FieldSource("ROOMS")
  void eachRoom_importsWhatTheMapSays(Row room) {
    var imported = importedBy(each -> roomOf(each).equals(room.name()))
        .map(ArchitectureTest::roomOf)
        .filter(each -> !each.equals(room.name()));

    assertThat(imported.distinct()).containsExactlyInAnyOrderElementsOf(room.imports());
  }

  @ParameterizedTest
  @FieldSource("PACKAGES")
  void eachPackage_importsWhatTheMapOfItsRoomSays(Row row) {
    var room = row.name().split("\\.", 2)[0];
    var imported = importedBy(each -> each.equals(row.name()))
        .filter(each -> roomOf(each).equals(room) && !each.equals(row.name()));

    assertThat(imported.distinct()).containsExactlyInAnyOrderElementsOf(row.imports());
  }

  /** The map is in the order of the data: a room imports those above it only. */
  @Test
  void map_hasFewArrows_andNoneBack() {
    var above = new TreeSet<String>();
    for (var room : ROOMS) {
      assertThat(above).containsAll(room.imports());
      above.add(room.name());
    }
    var arrows =
        ROOMS.stream().filter(room -> !room.name().equals("simulator")).mapToInt(room -> room.imports().size());

    assertThat(arrows.sum()).isLessThanOrEqualTo(MOST_ARROWS);
  }

  @Test
  void everyPackage_isInTheMap() {
    var mapped = Stream.concat(ROOMS.stream(), PACKAGES.stream()).map(Row::name).toList();
    var ours = OURS.stream().map(each -> packageOf(each)).distinct();

    assertThat(ours).allMatch(
        each -> mapped.contains(each) || isIn(each, "cli") || isIn(each, "bench") || each.equals("http"));
  }

  @Test
  void simulator_isReachedThroughItsDoors() {
    var simulator = resideInAPackage("io.tidemark.simulator");
    var behindTheDoors = DescribedPredicate.describe("stand behind the doors of the simulator",
        (JavaClass each) -> simulator.test(each) && !DOORS_OF_THE_SIMULATOR.contains(each.getSimpleName()));

    noClasses().that(DescribedPredicate.not(simulator)).should().dependOnClassesThat(behindTheDoors).check(OURS);
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

  /** Returns the packages of Tidemark that classes of some packages import; the demo's part of {@code cli} is left out. */
  private static Stream<String> importedBy(Predicate<String> packages) {
    return OURS.stream()
        .filter(each -> packages.test(packageOf(each)) && !isIn(packageOf(each), "cli.demo"))
        .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
        .map(each -> each.getTargetClass().getBaseComponentType())
        .filter(each -> each.getPackageName().startsWith("io.tidemark."))
        .map(ArchitectureTest::packageOf);
  }

  private static String packageOf(JavaClass type) {
    return type.getPackageName().substring("io.tidemark.".length());
  }

  private static String roomOf(String packageName) {
    return packageName.split("\\.", 2)[0];
  }

  private static boolean isIn(String packageName, String row) {
    return (packageName + ".").startsWith(row + ".");
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
   * @param name of a room or package below {@code io.tidemark}
   * @param imports the rooms or packages that it imports
   */
  record Row(String name, Set<String> imports) {}
}
