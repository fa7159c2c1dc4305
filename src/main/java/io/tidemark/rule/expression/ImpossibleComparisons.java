package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.StructType;
import io.tidemark.event.Attribute;
import io.tidemark.event.Attribute.ListOf;
import io.tidemark.event.Attribute.MapOf;
import io.tidemark.event.Attribute.RecordOf;
import io.tidemark.event.Attribute.Scalar;
import io.tidemark.event.ResourceKey;
import io.tidemark.rule.expression.ExpressionCompiler.ExpressionProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds impossible comparisons: of an attribute with a text that the attribute never has. Either the schema allows only
 * certain other texts, or the text is an address of an EVM network with capital letters, which topics never contain.
 * With {@code ==} such a comparison never holds, with {@code !=} it always holds, and in a list after {@code in} the
 * text has no effect.
 */
final class ImpossibleComparisons {

  private static final Set<String> EQUALITY = Set.of("_==_", "_!=_");
  private static final String IN = "@in";
  private static final Set<String> AUTHORED = Set.of("labels", "annotations");

  private final Vocabulary vocabulary;
  private final Map<String, Object> settings;

  /**
   * Allowed texts of the fields of records in lists and maps, by the name of the record and the name of the field,
   * joined by a dot.
   */
  private final Map<String, List<String>> allowedInRecords = new HashMap<>();

  ImpossibleComparisons(Vocabulary vocabulary, Map<String, Object> settings) {
    this.vocabulary = vocabulary;
    this.settings = settings;
    vocabulary.view().attributes().forEach(attribute -> collect(attribute.type()));
  }

  private void collect(Attribute.Type type) {
    switch (type) {
      case ListOf(var elements) -> collect(elements);
      case MapOf(var values) -> collect(values);
      case RecordOf(var schema, var attributes) -> attributes.forEach(attribute -> {
        allowedInRecords.put(schema.getFullName() + "." + attribute.name(), attribute.values());
        collect(attribute.type());
      });
      case Scalar scalar -> {}
    }
  }

  /** Returns a problem for each text in a checked expression that the attribute never has. */
  Stream<ExpressionProblem> in(CelAbstractSyntaxTree checked) {
    return CelNavigableAst.fromAst(checked).getRoot().allNodes()
        .filter(node -> node.getKind() == Kind.CALL)
        .map(node -> node.expr().call())
        .filter(call -> call.args().size() == 2)
        .flatMap(call -> impossible(call, checked));
  }

  private Stream<ExpressionProblem> impossible(CelExpr.CelCall call, CelAbstractSyntaxTree checked) {
    var left = call.args().get(0);
    var right = call.args().get(1);
    if (call.function().equals(IN)) {
      return impossible(left, right, checked);
    }
    return EQUALITY.contains(call.function())
        ? Stream.concat(impossible(left, right, checked), impossible(right, left, checked))
        : Stream.of();
  }

  private Stream<ExpressionProblem> impossible(CelExpr name, CelExpr other, CelAbstractSyntaxTree checked) {
    var allowed = allowedTexts(name, checked);
    return allowed.isEmpty()
        ? addressesInCapitals(name, other)
        : texts(other)
            .filter(text -> !text.isEmpty() && !allowed.contains(text)) // an empty text stands for an unset value
            .map(text -> new ExpressionProblem(other, "%s is never \"%s\"; it is one of %s".formatted(
                text(name), Template.bounded(text), String.join(", ", allowed))));
  }

  /**
   * A text without a network is a problem only beside an address: the service sends some other texts in capitals. Labels
   * and annotations have texts as the authors of rules write them.
   */
  private Stream<ExpressionProblem> addressesInCapitals(CelExpr name, CelExpr other) {
    var path = ReferencedNames.of(name);
    var text = ReferencedNames.constantText(other, settings);
    return path == null || AUTHORED.contains(Vocabulary.partOf(path.text()))
        ? Stream.of()
        : (text == null ? texts(other) : Stream.of(text))
            .filter(each -> !each.equals(ResourceKey.canonical(each)))
            .filter(each -> each.contains("_") || path.text().equals("address"))
            .map(each -> new ExpressionProblem(other,
                "%s is never \"%s\": in topics, 0x and the digits after it are in lower case: \"%s\"".formatted(
                    path.text(), Template.bounded(each), Template.bounded(ResourceKey.canonical(each)))));
  }

  private List<String> allowedTexts(CelExpr name, CelAbstractSyntaxTree checked) {
    var path = ReferencedNames.of(name);
    var term = path != null && ReferencedNames.in(checked.getExpr()).contains(path)
        ? vocabulary.term(path.text())
        : null;
    if (term != null) {
      return term.allowedTexts();
    }
    return name.getKind() == Kind.SELECT
        && checked.getType(name.select().operand().id()).orElse(null) instanceof StructType struct
            ? allowedInRecords.getOrDefault(struct.name() + "." + name.select().field(), List.of())
            : List.of();
  }

  /** Returns the text that is the value of an expression, or the texts in a list, if known before the evaluation. */
  private Stream<String> texts(CelExpr expression) {
    return switch (expression.getKind()) {
      case CONSTANT -> Stream.ofNullable(ReferencedNames.constantText(expression));
      case LIST -> expression.list().elements().stream().flatMap(this::texts);
      case IDENT, SELECT -> textsOfSetting(expression);
      default -> Stream.of();
    };
  }

  /**
   * Returns the texts of a setting that is a list. A setting that is a single text is ignored, because its value may be
   * a word for all texts, such as {@code any}.
   */
  private Stream<String> textsOfSetting(CelExpr expression) {
    return ReferencedNames.setting(expression, settings) instanceof List<?> list
        ? list.stream().filter(String.class::isInstance).map(String.class::cast)
        : Stream.of();
  }

  private static String text(CelExpr name) {
    var path = ReferencedNames.of(name);
    return path == null ? name.select().field() : path.text();
  }
}
