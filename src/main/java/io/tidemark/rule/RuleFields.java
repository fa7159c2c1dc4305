package io.tidemark.rule;

import io.tidemark.yaml.Place;
import io.tidemark.yaml.Yaml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The keys of one rule as they are written, read one by one; what is wrong is noted, and reading goes on. */
final class RuleFields {

  private final String file;
  private final Yaml.Tree tree;
  private final Problems problems;

  /** @param file the whole text that the rule stands in */
  RuleFields(String file, Yaml.Tree tree, Problems problems) {
    this.file = file;
    this.tree = tree;
    this.problems = problems;
  }

  boolean has(RuleKey key) {
    return tree.members().containsKey(key.key());
  }

  /** The place of a key; of the rule where the key is missing. */
  Place place(RuleKey key) {
    var member = tree.members().get(key.key());
    return member == null ? tree.place() : member.key();
  }

  /** Notes what is wrong with a key. */
  void wrong(RuleKey key, String what) {
    problems.add(place(key), key.key() + ": " + what);
  }

  void wrong(Place place, String what) {
    problems.add(place, what);
  }

  /** Keys that no rule has. */
  void refuseUnknown() {
    tree.members().forEach((name, member) -> {
      if (!RuleKey.NAMES.contains(name) && !name.equals(RuleKey.VERSION.key())) {
        var nearest = Spelling.nearest(name, RuleKey.NAMES);
        problems.add(member.key(), name + ": unknown key; "
            + (nearest == null ? "a rule has " + String.join(", ", RuleKey.NAMES) : "did you mean " + nearest + "?"));
      }
    });
  }

  /** A single value; null where there is none, which is noted where the rule cannot do without. */
  @Nullable
  String text(RuleKey key) {
    var leaf = leaf(key);
    return leaf == null ? null : leaf.text();
  }

  /** One of a few words. */
  @Nullable
  String word(RuleKey key, List<String> words) {
    var text = text(key);
    if (text == null || words.contains(text)) {
      return text;
    }
    var nearest = Spelling.nearest(text, words);
    wrong(key, "'" + text + "' is none of " + String.join(", ", words)
        + (nearest == null ? "" : "; did you mean " + nearest + "?"));
    return null;
  }

  Duration duration(RuleKey key, Duration otherwise) {
    var text = text(key);
    var span = text == null ? null : Span.parse(text);
    if (text != null && span == null) {
      wrong(key, "'" + text + "' stands where " + Span.EXAMPLE + " is due");
    }
    return span == null ? otherwise : span;
  }

  /** An expression; what is wrong in it is noted with its place in the file. */
  <T> @Nullable T expression(RuleKey key, Function<String, T> compile) {
    var leaf = leaf(key);
    return leaf == null || leaf.text() == null ? null : compiled(key.key(), leaf.place(), leaf.text(), compile);
  }

  /** Several, by their names. */
  <T> Map<String, T> expressions(RuleKey key, Function<String, T> compile) {
    var compiled = new LinkedHashMap<String, T>();
    members(key).forEach((name, member) -> {
      if (member.value() instanceof Yaml.Leaf(var place, var text) && text != null) {
        var made = compiled(key.key() + "." + name, place, text, compile);
        if (made != null) {
          compiled.put(name, made);
        }
      } else {
        problems.add(member.key(), key.key() + "." + name + ": a text is due here");
      }
    });
    return compiled;
  }

  /** What stands under a key, by name. */
  Map<String, Yaml.Member> members(RuleKey key) {
    var member = tree.members().get(key.key());
    var inner = member == null ? null : member.value().tree();
    if (member != null && inner == null) {
      wrong(key, "keys are due here: { name: value, ... }");
    }
    return inner == null ? Map.of() : inner.members();
  }

  /** One value or a list of them. */
  List<Yaml.Leaf> list(RuleKey key) {
    var member = tree.members().get(key.key());
    return switch (member == null ? null : member.value()) {
      case null -> List.of();
      case Yaml.Leaf leaf -> leaf.text() == null ? List.of() : List.of(leaf);
      case Yaml.Items items -> leaves(key, items);
      case Yaml other -> {
        wrong(key, "a list is due here: [ ..., ... ]");
        yield List.of();
      }
    };
  }

  private List<Yaml.Leaf> leaves(RuleKey key, Yaml.Items items) {
    var leaves = new ArrayList<Yaml.Leaf>();
    for (var item : items.items()) {
      if (item instanceof Yaml.Leaf leaf && leaf.text() != null) {
        leaves.add(leaf);
      } else {
        problems.add(item.place(), key.key() + ": a single value is due here");
      }
    }
    return leaves;
  }

  private Yaml.@Nullable Leaf leaf(RuleKey key) {
    var member = tree.members().get(key.key());
    if (member != null && member.value() instanceof Yaml.Leaf leaf && leaf.text() != null) {
      return leaf;
    }
    if (member != null) {
      wrong(key, "a single value is due here");
    } else if (key.use() == RuleKey.Use.ALWAYS) {
      problems.add(tree.place(), key.key() + ": missing. " + key.description());
    }
    return null;
  }

  private <T> @Nullable T compiled(String name, Place at, String text, Function<String, T> compile) {
    try {
      return compile.apply(text);
    } catch (ConditionException e) {
      var passage = new Passage(file, at, text);
      e.slips().forEach(slip -> problems.add(passage.place(slip.line(), slip.column()), name + ": " + slip.problem()));
      return null;
    }
  }
}
