package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelKind;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The budget of one evaluation, in steps. One step is spent for each operation, for each 16 characters of a text, and
 * for each element of a list or map that an operation reads or makes. {@code matches} and {@code contains} cost further
 * steps, which grow with the lengths of both operands. The evaluation ends when more than {@link #LIMIT} steps are
 * spent, so that its time and memory are bounded. The number of steps is the same on every machine.
 */
final class EvaluationBudget implements CelEvaluationListener {

  static final int LIMIT = 50_000;

  private static final int CHARACTERS_A_STEP = 16;

  private final Costs costs;
  private int steps;
  private int longestSearched;

  private EvaluationBudget(Costs costs) {
    this.costs = costs;
  }

  /** CEL may catch this exception in one operand of a disjunction, but the next operation then throws it again. */
  private static final class BudgetExceeded extends RuntimeException {
    private BudgetExceeded() {
      super("budget exceeded", null, false, false);
    }
  }

  boolean isExceeded() {
    return steps > LIMIT;
  }

  @Override
  public void callback(CelExpr expression, Object result) {
    spend(1);
    var id = expression.id();
    switch (result) {
      case String text -> text(id, text);
      case Collection<?> list when !costs.shared.contains(id) -> spendFor(list);
      case Map<?, ?> map when !costs.shared.contains(id) -> spendFor(map);
      default -> {}
    }
  }

  private void text(long id, String text) {
    spend(text.length() / CHARACTERS_A_STEP);
    var pattern = costs.matched.get(id);
    if (pattern != null) {
      spend((long) text.length() * pattern / 64);
    }
    if (costs.searched.contains(id)) {
      longestSearched = Math.max(longestSearched, text.length());
    }
    if (costs.needles.contains(id)) {
      spend((long) longestSearched * text.length() / 1024);
    }
  }

  /**
   * Spends the steps for a value and all its nested elements. An element that occurs several times is counted each
   * time, since a comparison reads every occurrence.
   */
  private void spendFor(@Nullable Object value) {
    switch (value) {
      case String text -> spend(1 + text.length() / CHARACTERS_A_STEP);
      case Collection<?> list -> {
        spend(1);
        list.forEach(this::spendFor);
      }
      case Map<?, ?> map -> {
        spend(1);
        map.forEach((key, each) -> {
          spendFor(key);
          spendFor(each);
        });
      }
      case null, default -> spend(1);
    }
  }

  private void spend(long more) {
    steps = (int) Math.min(Integer.MAX_VALUE, steps + more);
    if (steps > LIMIT) {
      throw new BudgetExceeded();
    }
  }

  /**
   * The parts of one expression, by id, that cost more than the usual number of steps, or whose lists and maps cost no
   * steps.
   *
   * @param matched ids of the texts to which a pattern is applied, each with the size of the pattern
   * @param searched ids of the texts in which {@code contains} searches
   * @param needles ids of the texts for which {@code contains} searches
   * @param shared ids of the parts whose value is a list or map that another part made, and whose elements cost no
   *     steps again; without operands of comparisons, which read the elements
   * @param isFlat whether the length of the expression alone bounds the cost, because no part makes, reads or loops
   *     over a value of unbounded size
   */
  record Costs(
      Map<Long, Integer> matched, Set<Long> searched, Set<Long> needles, Set<Long> shared, boolean isFlat) {

    private static final Set<String> COMPARISONS = Set.of("_==_", "_!=_", "@in");
    private static final int SHORT_LIST = 100;

    /** @param settings values of the rule's settings, by their names in expressions */
    static Costs of(CelAbstractSyntaxTree checked, Map<String, Object> settings) {
      var matched = new HashMap<Long, Integer>();
      var searched = new HashSet<Long>();
      var needles = new HashSet<Long>();
      var shared = new HashSet<Long>();
      var compared = new HashSet<Long>();
      var nodes = CelNavigableAst.fromAst(checked).getRoot().allNodes().toList();
      for (var node : nodes) {
        if (isShared(node)) {
          shared.add(node.id());
        }
        if (node.getKind() == Kind.CALL) {
          var call = node.expr().call();
          var text = call.target().orElseGet(() -> call.args().isEmpty() ? node.expr() : call.args().getFirst());
          switch (call.function()) {
            case "matches" -> matched.put(text.id(), ConstantPatterns.size(call.args().getLast(), settings));
            case "contains" -> {
              searched.add(text.id());
              needles.add(call.args().getLast().id());
            }
            default -> {}
          }
          if (COMPARISONS.contains(call.function())) {
            call.args().forEach(argument -> compared.add(argument.id()));
          }
        }
      }
      shared.removeAll(compared);
      var isFlat =
          nodes.stream().allMatch(node -> isFlat(node, checked, settings)) && matched.isEmpty() && searched.isEmpty();
      return new Costs(Map.copyOf(matched), Set.copyOf(searched), Set.copyOf(needles), Set.copyOf(shared), isFlat);
    }

    /**
     * Returns whether a part is a variable of a loop, a field selected from such a variable or from a computed value,
     * the result of a loop, or the intermediate result that a loop extends.
     */
    private static boolean isShared(CelNavigableExpr node) {
      return switch (node.getKind()) {
        case COMPREHENSION -> true;
        case IDENT -> isBoundByLoop(node, node.expr().ident().name());
        case SELECT -> {
          var name = ReferencedNames.of(node.expr());
          yield name == null || isBoundByLoop(node, name.text().split("\\.", 2)[0]);
        }
        case CALL -> {
          var arguments = node.expr().call().args();
          var grown = node.expr().call().function().equals("_+_") ? arguments.getFirst()
              : node.expr().call().function().equals("_?_:_") ? arguments.getLast() : null;
          yield grown != null && grown.getKind() == Kind.IDENT && isAccumulator(node, grown.ident().name());
        }
        default -> false;
      };
    }

    private static boolean isAccumulator(CelNavigableExpr node, String name) {
      return loops(node).anyMatch(loop -> loop.accuVar().equals(name));
    }

    private static boolean isBoundByLoop(CelNavigableExpr node, String name) {
      return loops(node).anyMatch(
          loop -> loop.iterVar().equals(name) || loop.iterVar2().equals(name) || loop.accuVar().equals(name));
    }

    private static Stream<CelExpr.CelComprehension> loops(CelNavigableExpr node) {
      return Stream.iterate(node.parent(), Optional::isPresent, each -> each.orElseThrow().parent())
          .map(parent -> parent.orElseThrow().expr())
          .filter(expression -> expression.getKind() == Kind.COMPREHENSION)
          .map(CelExpr::comprehension);
    }

    private static boolean isFlat(
        CelNavigableExpr node, CelAbstractSyntaxTree checked, Map<String, Object> settings) {
      var kind = checked.getType(node.id()).map(type -> type.kind()).orElse(CelKind.DYN);
      var isScalar = switch (kind) {
        case LIST, MAP, STRUCT, DYN, ANY, BYTES, OPAQUE -> false;
        default -> true;
      };
      var isConstantList = node.getKind() == Kind.LIST
          && node.expr().list().elements().stream().allMatch(each -> each.getKind() == Kind.CONSTANT);
      var growsText = node.getKind() == Kind.CALL && kind == CelKind.STRING
          && node.expr().call().function().equals("_+_");
      return node.getKind() != Kind.COMPREHENSION && !growsText
          && (isScalar || isConstantList || node.getKind() == Kind.CONSTANT
              || (ReferencedNames.setting(node.expr(), settings) instanceof List<?> list && list.size() <= SHORT_LIST));
    }

    EvaluationBudget newBudget() {
      return new EvaluationBudget(this);
    }
  }
}
