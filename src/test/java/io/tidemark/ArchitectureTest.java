package io.tidemark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The map of the packages: who may import whom. */
class ArchitectureTest {

  /** What a package may import of ours, besides itself. Only {@code cli} has no row: it wires everything. */
  static final Map<String, Set<String>> MAY_IMPORT = Map.ofEntries(
      Map.entry("event", Set.of()),
      Map.entry("market", Set.of("event")),
      Map.entry("http", Set.of("market", "event")),
      Map.entry("simulator", Set.of("market", "event")),
      Map.entry("poll", Set.of("market", "event", "rule")),
      Map.entry("change", Set.of("market", "event")),
      Map.entry("topic", Set.of("event")),
      Map.entry("ledger", Set.of("market", "change", "topic", "event")),
      Map.entry("stream", Set.of("topic", "event", "rule")),
      Map.entry("web", Set.of("topic", "event", "http", "market")),
      Map.entry("receiver", Set.of("topic", "event")),
      Map.entry("embedded", Set.of()),
      Map.entry("audit", Set.of("topic", "event")),
      Map.entry("yaml", Set.of()),
      Map.entry("rule", Set.of("event", "yaml")));

  static final Set<Map.Entry<String, Set<String>>> ROWS = MAY_IMPORT.entrySet();

  static final String EMPTY_NAMES = ".*(Manager|Service|Helper|Utils?|Impl|Handler)";

  static final JavaClasses OURS =
      new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.tidemark");

  @ParameterizedTest
  @FieldSource("ROWS")
  void eachPackage_importsOnlyWhatTheMapAllows(Map.Entry<String, Set<String>> row) {
    var others = resideInAPackage("io.tidemark..").and(not(resideInAnyPackage(within(row.getKey(), row.getValue()))));

    noClasses()
        .that(resideInAPackage(in(row.getKey())))
        .should()
        .dependOnClassesThat(others)
        .allowEmptyShould(true)
        .check(OURS);
  }

  @Test
  void everyPackageButCli_hasARow() {
    var mapped = within("cli", MAY_IMPORT.keySet());

    classes().should().resideInAnyPackage(mapped).allowEmptyShould(true).check(OURS);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("io.tidemark.(**)").should().beFreeOfCycles().allowEmptyShould(true).check(OURS);
  }

  @Test
  void names_sayWhatAThingIs() {
    noClasses().should().haveNameMatching(EMPTY_NAMES).allowEmptyShould(true).check(OURS);
  }

  private static String[] within(String one, Set<String> others) {
    return Stream.concat(Stream.of(one), others.stream()).map(ArchitectureTest::in).toArray(String[]::new);
  }

  private static String in(String name) {
    return "io.tidemark." + name + "..";
  }
}
