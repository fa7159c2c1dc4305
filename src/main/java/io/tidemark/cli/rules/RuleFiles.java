package io.tidemark.cli.rules;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of rules, as commands name them. */
final class RuleFiles {

  private RuleFiles() {}

  static RuleDocument read(Path file) {
    try {
      return new RuleDocument(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "cannot read " + file + ": " + e.getClass().getSimpleName());
    }
  }

  /** Says all that is wrong, a line each; the exit code. */
  static int wrong(RuleException e, PrintWriter err) {
    e.problems().forEach(err::println);
    err.flush();
    return CommandFailure.PROBLEM_FOUND;
  }

  /** By what its rules are known once applied: the file's name without folder and ending. */
  static String name(Path file) {
    var name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
    if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE,
          file + ": its name is that of its rules in force: 1 to 100 letters, digits, dots, dashes and underscores");
    }
    return name;
  }
}
