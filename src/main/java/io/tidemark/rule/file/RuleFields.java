package io.tidemark.rule.file;

import io.tidemark.rule.expression.ExpressionException;
import io.tidemark.yaml.DurationFormat;
import io.tidemark.yaml.FilePosition;
import io.tidemark.yaml.Spelling;
import io.tidemark.yaml.YamlNode;
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
  private final YamlNode.Mapping tree;
  private final Problems problems;

  /** @param file the whole text that the rule stands in */
  RuleFields(String file, YamlNode.Mapping tree, Problems problems) {
    this.file = file;
    this.tree = tree;
    this.problems = problems;
  }

  boolean has(RuleKey key) {
    return tree.entries().containsKey(key.key());
  }

  /** The place of a key; of the rule where the key is missing. */
  FilePosition place(RuleKey key) {
    var member = tree.entries().get(key.key());
    return member == null ? tree.position() : member.keyPosition();
  }

  /** Notes what is wrong with a key. */
  void wrong(RuleKey key, String what) {
    problems.add(place(key), key.key() + ": " + what);
  }

  void wrong(FilePosition place, String what) {
    problems.add(place, what);
  }

  /** Keys that no rule has. */
  void refuseUnknown() {
    tree.entries().forEach((name, member) -> {
      if (!RuleKey.NAMES.contains(name) && !name.equals(RuleKey.VERSION.key())) {
        var nearest = Spelling.nearest(name, RuleKey.NAMES);
        problems.add(member.keyPosition(), name + ": unknown key; "
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
    var span = text == null ? null : DurationFormat.parse(text);
    if (text != null && span == null) {
      wrong(key, "'" + text + "' stands where " + DurationFormat.EXAMPLE + " is due");
    }
    return span == null ? otherwise : span;
  }

  /** An expression; what is wrong in it is noted with its place in the file. */
  <T> @Nullable T expression(RuleKey key, Function<String, T> compile) {
    var leaf = leaf(key);
    return leaf == null || leaf.text() == null ? null : compiled(key.key(), leaf.position(), leaf.text(), compile);
  }

  /** Several, by their names. */
  <T> Map<String, T> expressions(RuleKey key, Function<String, T> compile) {
    var compiled = new LinkedHashMap<String, T>();
    members(key).forEach((name, member) -> {
      if (member.value() instanceof YamlNode.Scalar(var place, var text) && text != null) {
        var made = compiled(key.key() + "." + name, place, text, compile);
        if (made != null) {
          compiled.put(name, made);
        }
      } else {
        problems.add(member.keyPosition(), key.key() + "." + name + ": a text is due here");
      }
    });
    return compiled;
  }

  /** What stands under a key, by name. */
  Map<String, YamlNode.Entry> members(RuleKey key) {
    var member = tree.entries().get(key.key());
    var inner = member == null ? null : member.value().mapping();
    if (member != null && inner == null) {
      wrong(key, "keys are due here: { name: value, ... }");
    }
    return inner == null ? Map.of() : inner.entries();
  }

  /** One value or a list of them. */
  List<YamlNode.Scalar> list(RuleKey key) {
    var member = tree.entries().get(key.key());
    return switch (member == null ? null : member.value()) {
      case null -> List.of();
      case YamlNode.Scalar leaf -> leaf.text() == null ? List.of() : List.of(leaf);
      case YamlNode.Sequence items -> leaves(key, items);
      case YamlNode other -> {
        wrong(key, "a list is due here: [ ..., ... ]");
        yield List.of();
      }
    };
  }

  private List<YamlNode.Scalar> leaves(RuleKey key, YamlNode.Sequence items) {
    var leaves = new ArrayList<YamlNode.Scalar>();
    for (var item : items.items()) {
      if (item instanceof YamlNode.Scalar leaf && leaf.text() != null) {
        leaves.add(leaf);
      } else {
        problems.add(item.position(), key.key() + ": a single value is due here");
      }
    }
    return leaves;
  }

  private YamlNode.@Nullable Scalar leaf(RuleKey key) {
    var member = tree.entries().get(key.key());
    if (member != null && member.value() instanceof YamlNode.Scalar leaf && leaf.text() != null) {
      return leaf;
    }
    if (member != null) {
      wrong(key, "a single value is due here");
    } else if (key.use() == RuleKey.Usage.ALWAYS) {
      problems.add(tree.position(), key.key() + ": missing. " + key.description());
    }
    return null;
  }

  private <T> @Nullable T compiled(String name, FilePosition at, String text, Function<String, T> compile) {
    try {
      return compile.apply(text);
    } catch (ExpressionException e) {
      var passage = new EmbeddedText(file, at, text);
      e.issues().forEach(slip -> problems.add(passage.place(slip.line(), slip.column()), name + ": " + slip.problem()));
      return null;
    }
  }
}
