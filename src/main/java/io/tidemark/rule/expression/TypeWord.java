package io.tidemark.rule.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.StructType;
import java.util.stream.Collectors;

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
      case LIST -> "list of " + of(((ListType) type).elemType());
      case MAP -> "map of " + of(((MapType) type).valueType());
      case STRUCT -> ((StructType) type).fields().stream()
          .map(member -> member.name() + " " + of(member.type()))
          .collect(Collectors.joining(", ", "(", ")"));
      default -> "value";
    };
  }
}
