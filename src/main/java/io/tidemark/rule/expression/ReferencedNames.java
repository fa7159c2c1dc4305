package io.tidemark.rule.expression;

import dev.cel.common.Operator;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the dotted names, settings and texts in an expression. */
final class ReferencedNames {

  /** A name such as {@code about.reserve_usd}, and the id of the expression that is its first segment. */
  record DottedName(String text, long beginning) {}

  private final List<DottedName> found = new ArrayList<>();

  private ReferencedNames() {}

  /**
   * Returns all dotted names in an expression, except loop variables, such as {@code e} in {@code x.exists(e, e > 1)}.
   */
  static List<DottedName> in(CelExpr expression) {
    var names = new ReferencedNames();
    names.visit(expression, Set.of());
    return names.found;
  }

  /** Returns the expression as a dotted name, or null if the expression is not a dotted name. */
  static @Nullable DottedName of(CelExpr expression) {
    return switch (expression.getKind()) {
      case IDENT -> new DottedName(expression.ident().name(), expression.id());
      case SELECT -> selected(expression.select());
      default -> null;
    };
  }

  /** Returns the value of the setting that an expression names, or null if the expression names no setting. */
  static @Nullable Object setting(CelExpr expression, Map<String, Object> settings) {
    var name = of(expression);
    return name != null && name.text.startsWith(ExpressionCompiler.SETTINGS)
        ? settings.get(name.text.substring(ExpressionCompiler.SETTINGS.length()))
        : null;
  }

  /** Returns the text in quotes of which an expression consists, or null if the expression is anything else. */
  static @Nullable String constantText(CelExpr expression) {
    return expression.getKind() == Kind.CONSTANT && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
        ? expression.constant().stringValue()
        : null;
  }

  /** Returns the text in quotes, or the text setting, of which an expression consists, or null. */
  static @Nullable String constantText(CelExpr expression, Map<String, Object> settings) {
    var text = constantText(expression);
    return text == null && setting(expression, settings) instanceof String setting ? setting : text;
  }

  private static @Nullable DottedName selected(CelExpr.CelSelect select) {
    var operand = of(select.operand());
    return operand == null ? null : new DottedName(operand.text + "." + select.field(), operand.beginning);
  }

  /**
   * Returns parts of a change. The condition holds only if at least one of these parts changed. Returns an empty set if
   * the condition may hold whichever part changed. In a conjunction, the changed parts of any one operand suffice,
   * because all operands must be true.
   */
  static Set<String> changedParts(CelExpr condition) {
    var name = of(condition);
    if (name != null) {
      return name.text.startsWith(Vocabulary.CHANGED)
          ? Set.of(name.text.substring(Vocabulary.CHANGED.length()))
          : Set.of();
    }
    if (condition.getKind() != Kind.CALL) {
      return Set.of();
    }
    var call = condition.call();
    var operands = call.args().stream().map(ReferencedNames::changedParts).toList();
    return switch (Operator.findReverse(call.function()).orElse(null)) {
      case LOGICAL_AND -> operands.stream()
          .filter(parts -> !parts.isEmpty())
          .min(Comparator.comparingInt(Set::size))
          .orElse(Set.of());
      case LOGICAL_OR -> operands.stream().anyMatch(Set::isEmpty)
          ? Set.of()
          : operands.stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
      case null, default -> Set.of();
    };
  }

  private void visit(CelExpr expression, Set<String> bound) {
    var name = of(expression);
    if (name == null) {
      parts(expression, bound);
    } else if (!bound.contains(name.text.split("\\.", 2)[0])) {
      found.add(name);
    }
  }

  private void parts(CelExpr expression, Set<String> bound) {
    switch (expression.getKind()) {
      case SELECT -> visit(expression.select().operand(), bound);
      case CALL -> {
        expression.call().target().ifPresent(target -> visit(target, bound));
        expression.call().args().forEach(argument -> visit(argument, bound));
      }
      case LIST -> expression.list().elements().forEach(element -> visit(element, bound));
      case MAP -> expression.map().entries().forEach(entry -> {
        visit(entry.key(), bound);
        visit(entry.value(), bound);
      });
      case COMPREHENSION -> comprehension(expression.comprehension(), bound);
      default -> {}
    }
  }

  private void comprehension(CelExpr.CelComprehension loop, Set<String> bound) {
    visit(loop.iterRange(), bound);
    visit(loop.accuInit(), bound);
    var inner = new HashSet<>(bound);
    inner.addAll(List.of(loop.iterVar(), loop.iterVar2(), loop.accuVar()));
    Stream.of(loop.loopCondition(), loop.loopStep(), loop.result()).forEach(part -> visit(part, inner));
  }
}
