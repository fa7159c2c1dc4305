package io.tidemark.cli.rules;

import io.tidemark.app.CommandFailure;
import io.tidemark.rule.Rule;
import io.tidemark.rule.file.RuleDocument;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the rule files that commands name, and prints rules. */
final class RuleFiles {

  private RuleFiles() {}

  static RuleDocument read(Path file) {
    try {
      return new RuleDocument(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "cannot read " + file + ": there is no such file");
    } catch (CharacterCodingException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "cannot read " + file + ": it is not UTF-8 text");
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "cannot read " + file + ": " + e.getMessage());
    }
  }

  /**
   * Returns the name under which the rules of a file are applied: the file's name without folder and the extension
   * {@code .yaml} or {@code .yml}.
   */
  static String name(Path file) {
    var name = String.valueOf(file.getFileName()).replaceFirst("\\.ya?ml$", "");
    if (!name.matches("[A-Za-z0-9._-]{1,100}")) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, file
          + ": its rules are applied under the file's name, which must be 1 to 100 letters, digits, dots, dashes and"
          + " underscores");
    }
    return name;
  }

  /** Formats a rule as one line of a table. */
  static String line(Rule rule) {
    return "%-22s on %-22s %-9s %s".formatted(rule.name(), rule.on(), rule.kind().text(), rule.severity());
  }
}
