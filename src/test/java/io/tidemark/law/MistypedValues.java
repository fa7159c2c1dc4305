package io.tidemark.law;

import java.util.List;

/** JSON values from which an attribute of a given type cannot be read. */
final class MistypedValues {
  private static final List<String> NO_OBJECTS = List.of("[1,{\"a\":2}]", "true", "1.5", "\"odd\"");

  private MistypedValues() {}

  static List<String> kinds(AttributeRow row) {
    return switch (row.kind()) {
      case "s" -> List.of("{\"a\":1}", "[1,{\"a\":2}]", "true");
      case "n" -> List.of("{\"a\":1}", "[1,{\"a\":2}]", "true", "\"odd\"", "\"NaN\"", "\"\"", "\"1.5 \"");
      case "i" -> List.of("{\"a\":1}", "[1,{\"a\":2}]", "true", "\"odd\"", "1.5", "99999999999999999999", "1e400000");
      case "b" -> List.of("{\"a\":1}", "[1,{\"a\":2}]", "1.5", "\"true\"");
      case "object", "map(n)", "map(s)" -> NO_OBJECTS;
      default -> List.of();
    };
  }
}
