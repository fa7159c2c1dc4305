package io.tidemark.rule;

import dev.cel.common.types.CelType;

/** What people call the types of values. */
final class TypeWord {

  private TypeWord() {}

  static String of(CelType type) {
    return switch (type.kind()) {
      case DOUBLE -> "figure";
      case INT -> "whole number";
      case STRING -> "text";
      case BOOL -> "yes or no";
      case TIMESTAMP -> "time";
      case DURATION -> "duration";
      case LIST -> "list";
      case MAP -> "map";
      default -> "value";
    };
  }
}
