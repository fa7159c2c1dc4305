package io.tidemark.rule.file;

import io.tidemark.event.NameSuggestion;
import io.tidemark.rule.RuleSet;
import io.tidemark.yaml.FilePosition;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a source at one moment. Checks the files that the command {@code rules apply} and the route
 * {@code PUT /v1/rules/FILE} apply.
 *
 * @param rules rules that were announced last
 * @param files applied files, by name
 * @param outOfForce failures that keep a rule out of force
 */
public record RulesInForce(RuleSet rules, Map<String, AppliedFile> files, List<RuleFailure> outOfForce) {

  private static final int MOST_FILES = 100;
  private static final int MOST_CHARACTERS = 2_000_000;

  public static final RulesInForce NONE = new RulesInForce(RuleSet.EMPTY, Map.of(), List.of());

  /** A file of rules that {@code who} applied. */
  public record AppliedFile(String who, Instant at, String text, RuleSet rules) {}

  /**
   * Returns the name under which the rules of a file are applied: the file's name without folder and the extension
   * {@code .yaml} or {@code .yml}.
   *
   * @throws IllegalArgumentException if the rules of a file with this name cannot be applied
   */
  public static String nameOf(String file) {
    var name = file.replaceFirst("\\.ya?ml$", "");
    if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw new IllegalArgumentException("the rules of a file are applied under its name, which must be 1 to 100"
          + " letters, digits, dots, dashes and underscores");
    }
    return name;
  }

  /**
   * Reads the rules of a file that is to be applied.
   *
   * @param name name under which the rules are to be applied
   * @param topics topics that rules may be on: names without prefix, each with the schema of its records
   * @throws RuleException if the rules are invalid, have the name of a rule or mute of another applied file, or
   *     exceed a limit together with the rules in force
   */
  public RuleSet check(String name, RuleDocument document, Map<String, Schema> topics) {
    var read = RuleSetReader.read(List.of(document), topics, List.of());
    RuleSetReader.checkLimits(rules.with(read), topics);
    var problems = new RuleProblems();
    files.forEach((other, applied) -> {
      var both = names(read).filter(names(applied.rules()).toList()::contains).toList();
      if (!other.equals(name) && !both.isEmpty()) {
        problems.add(FilePosition.whole(document.name()), "", String.join(", ", both)
            + " cannot be applied, because the applied file '" + other
            + "' has the same names; drop that file first");
      }
    });
    var characters = document.text().length() + files.entrySet().stream().filter(each -> !each.getKey().equals(name))
        .mapToInt(each -> each.getValue().text().length()).sum();
    if ((files.size() >= MOST_FILES && !files.containsKey(name)) || characters > MOST_CHARACTERS) {
      problems.add(FilePosition.whole(document.name()), "", "at most " + MOST_FILES + " files with "
          + MOST_CHARACTERS + " characters in total can be applied; drop some first");
    }
    problems.throwIfAny();
    return read;
  }

  /**
   * Returns the time of a command that applies a file now. It is later than that of each applied file, and than the
   * failures that keep rules out of force, also if the clock of this machine is slow: the latest command decides.
   */
  public Instant commandTime(Instant now) {
    return Stream.concat(outOfForce.stream().map(RuleFailure::at), files.values().stream().map(AppliedFile::at))
        .map(earlier -> earlier.plusMillis(1))
        .reduce(now, (one, other) -> other.isAfter(one) ? other : one);
  }

  /**
   * Returns a test of later rules in force: whether the owner of the source has carried out a command for a file. The
   * test passes if the rules and mutes of the new file are in force, and those that the file had and no longer has are
   * not, unless the configuration has the same. If the configuration is unknown, it is enough that one of the latter is
   * not in force; so the test never passes if the configuration has all of them.
   *
   * @param wanted rules of the file after the command; none if the file is dropped
   * @param configured compiles the rules of the configuration; returns null if the configuration is unknown
   */
  public Predicate<RuleSet> carriedOut(String name, RuleSet wanted, Supplier<? extends @Nullable RuleSet> configured) {
    var own = files.get(name);
    var gone = new HashSet<>(own == null ? Set.of() : own.rules().contents());
    gone.removeAll(wanted.contents());
    var known = gone.isEmpty() ? RuleSet.EMPTY : configured.get();
    if (known != null) {
      gone.removeAll(known.contents());
    }
    return current -> current.contents().containsAll(wanted.contents())
        && (known == null ? !current.contents().containsAll(gone) : Collections.disjoint(current.contents(), gone));
  }

  /** Returns the names of the rules and mutes of the configuration that applied rules replace. */
  public List<String> replacedBy(String name, RuleSet applied) {
    var own = files.get(name);
    var before = own == null ? List.of() : names(own.rules()).toList();
    return names(rules).filter(names(applied).toList()::contains).filter(each -> !before.contains(each)).toList();
  }

  /**
   * Returns an applied file.
   *
   * @throws NoSuchElementException if no rules are applied under this name
   */
  public AppliedFile applied(String name) {
    var file = files.get(name);
    if (file == null) {
      throw new NoSuchElementException("no rules are applied under the name '" + name + "'" + (files.isEmpty()
          ? "; no rules are applied at all"
          : "; " + NameSuggestion.suggestion(name, files.keySet(),
              "the applied names are " + String.join(", ", files.keySet()))));
    }
    return file;
  }

  /** Returns the name of the applied file that has a rule of this name, or null if the rule is configured. */
  public @Nullable String fileOf(String rule) {
    return files.entrySet().stream().filter(file -> file.getValue().rules().find(rule) != null)
        .map(Map.Entry::getKey).findFirst().orElse(null);
  }

  private static Stream<String> names(RuleSet set) {
    return Stream.concat(set.names().stream(), set.mutes().stream().map(mute -> "mute " + mute.name()));
  }
}
