package io.tidemark.cli.rules;

import io.tidemark.app.CommandFailure;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RulesInForce;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the rule files that commands name. */
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

  /** Returns the name under which the rules of a file are applied. */
  static String name(Path file) {
    try {
      return RulesInForce.nameOf(String.valueOf(file.getFileName()));
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, file + ": " + e.getMessage());
    }
  }
}
