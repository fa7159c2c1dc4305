package io.tidemark.rule.expression;

import static dev.cel.common.CelFunctionDecl.newFunctionDeclaration;
import static dev.cel.common.CelOverloadDecl.newGlobalOverload;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelStandardFunctions;
import io.tidemark.event.NameSuggestion;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names of functions that messages suggest, and the definitions of the functions that CEL lacks, or that replace
 * CEL's own. Expressions may also call the other standard functions of CEL, such as {@code getHours}.
 */
final class CelFunctions {

  static final List<String> NAMES = List.of(
      "moved", "highest", "lowest", "average", "count", "age", "abs", "sqrt", "has", "size", "contains", "startsWith",
      "endsWith", "matches", "exists", "all", "exists_one", "filter", "map", "duration", "timestamp", "double", "int",
      "string");

  private static final String ABS_DOUBLE = "abs_double";
  private static final String ABS_INT = "abs_int";
  private static final String SQRT_DOUBLE = "sqrt_double";

  /**
   * Standard functions of CEL without {@code matches}, because CEL would compile the pattern of {@code matches} at
   * every call, and the cost would have no limit. {@link #bindings} contains its replacement.
   */
  static final CelStandardFunctions STANDARD =
      CelStandardFunctions.newBuilder().excludeFunctions(CelStandardFunctions.StandardFunction.MATCHES).build();

  private CelFunctions() {}

  static List<CelFunctionDecl> declarations() {
    return List.of(
        newFunctionDeclaration("abs",
            newGlobalOverload(ABS_DOUBLE, SimpleType.DOUBLE, SimpleType.DOUBLE),
            newGlobalOverload(ABS_INT, SimpleType.INT, SimpleType.INT)),
        newFunctionDeclaration("sqrt", newGlobalOverload(SQRT_DOUBLE, SimpleType.DOUBLE, SimpleType.DOUBLE)));
  }

  static Set<CelFunctionBinding> bindings() {
    var abs = CelFunctionBinding.fromOverloads("abs",
        CelFunctionBinding.from(ABS_DOUBLE, Double.class, Math::abs),
        CelFunctionBinding.from(ABS_INT, Long.class, Math::abs));
    var sqrt =
        CelFunctionBinding.fromOverloads("sqrt", CelFunctionBinding.from(SQRT_DOUBLE, Double.class, Math::sqrt));
    var matches = CelFunctionBinding.fromOverloads("matches",
        CelFunctionBinding.from("matches", String.class, String.class, ConstantPatterns::matches),
        CelFunctionBinding.from("matches_string", String.class, String.class, ConstantPatterns::matches));
    return Stream.of(abs, sqrt, matches).flatMap(Set::stream).collect(Collectors.toSet());
  }

  /**
   * Returns the name of the function that was probably meant, or null if no name is similar. A short name may differ in
   * fewer letters than a long name, since all short names are similar to each other.
   */
  static @Nullable String nearest(String wrong) {
    var meant = NameSuggestion.nearest(wrong, NAMES);
    return meant == null || NameSuggestion.edits(wrong, meant) > wrong.length() / 3 ? null : meant;
  }
}
