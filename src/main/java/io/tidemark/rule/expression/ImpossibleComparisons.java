package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.StructType;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The words that some texts are always one of, as the schemas name them; a comparison with another one never holds. */
final class ImpossibleComparisons {

  private static final Set<String> EQUALITY = Set.of("_==_", "_!=_");
  private static final String IN = "@in";

  private final Vocabulary vocabulary;
  private final Map<String, Object> settings;

  /** Of records that stand in lists and maps, by the record's and the field's name. */
  private final Map<String, List<String>> ofMembers = new HashMap<>();

  ImpossibleComparisons(Vocabulary vocabulary, Map<String, Object> settings) {
    this.vocabulary = vocabulary;
    this.settings = settings;
    collect(vocabulary.schema(), new HashSet<>());
  }

  /** A comparison that can never hold. */
  record ImpossibleComparison(CelExpr where, String problem) {}

  /** Those of a field; none where it is of any words. */
  static List<String> of(Schema.Field field) {
    return field.getObjectProp("values") instanceof Collection<?> words
        ? words.stream().map(String::valueOf).toList()
        : List.of();
  }

  private void collect(Schema schema, Set<String> seen) {
    switch (schema.getType()) {
      case UNION -> schema.getTypes().forEach(branch -> collect(branch, seen));
      case ARRAY -> collect(schema.getElementType(), seen);
      case MAP -> collect(schema.getValueType(), seen);
      case RECORD -> {
        if (seen.add(schema.getFullName())) {
          for (var field : schema.getFields()) {
            ofMembers.put(schema.getFullName() + "." + field.name(), of(field));
            collect(field.schema(), seen);
          }
        }
      }
      default -> {}
    }
  }

  /** All comparisons of a checked expression that can never hold. */
  List<ImpossibleComparison> in(CelAbstractSyntaxTree checked) {
    return CelNavigableAst.fromAst(checked).getRoot().allNodes()
        .filter(node -> node.getKind() == Kind.CALL)
        .map(node -> node.expr().call())
        .filter(call -> call.args().size() == 2)
        .flatMap(call -> misfits(call, checked))
        .toList();
  }

  private Stream<ImpossibleComparison> misfits(CelExpr.CelCall call, CelAbstractSyntaxTree checked) {
    var left = call.args().get(0);
    var right = call.args().get(1);
    if (call.function().equals(IN)) {
      return misfits(left, right, checked);
    }
    return EQUALITY.contains(call.function())
        ? Stream.concat(misfits(left, right, checked), misfits(right, left, checked))
        : Stream.of();
  }

  private Stream<ImpossibleComparison> misfits(CelExpr name, CelExpr other, CelAbstractSyntaxTree checked) {
    var words = words(name, checked);
    return words.isEmpty()
        ? Stream.of()
        : texts(other)
            .filter(text -> !text.isEmpty() && !words.contains(text)) // empty: said of what is not set
            .map(text -> new ImpossibleComparison(other, "%s is never \"%s\"; it is one of %s".formatted(
                spelt(name), ValueFormat.bounded(text), String.join(", ", words))));
  }

  private List<String> words(CelExpr name, CelAbstractSyntaxTree checked) {
    var path = ExpressionNames.of(name);
    var term =
        path == null || !ExpressionNames.in(checked.getExpr()).contains(path) ? null : vocabulary.term(path.text());
    if (term != null) {
      return term.allowedTexts();
    }
    return name.getKind() == Kind.SELECT
        && checked.getType(name.select().operand().id()).orElse(null) instanceof StructType struct
            ? ofMembers.getOrDefault(struct.name() + "." + name.select().field(), List.of())
            : List.of();
  }

  private Stream<String> texts(CelExpr expression) {
    return switch (expression.getKind()) {
      case CONSTANT -> expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
          ? Stream.of(expression.constant().stringValue())
          : Stream.of();
      case LIST -> expression.list().elements().stream().flatMap(this::texts);
      case IDENT, SELECT -> texts(ExpressionNames.of(expression));
      default -> Stream.of();
    };
  }

  /** Those of a list; a single one may stand for any or none of them. */
  private Stream<String> texts(ExpressionNames.@Nullable DottedName path) {
    if (path == null || !path.text().startsWith(ExpressionCompiler.SETTINGS)) {
      return Stream.of();
    }
    return settings.get(path.text().substring(ExpressionCompiler.SETTINGS.length())) instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast)
        : Stream.of();
  }

  private static String spelt(CelExpr name) {
    var path = ExpressionNames.of(name);
    return path == null ? name.select().field() : path.text();
  }
}
