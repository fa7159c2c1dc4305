package io.tidemark.rule.expression;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates error messages of CEL into messages that say what is wrong in an expression and what to write instead.
 * Messages of an unknown form stay as they are.
 */
final class CelErrorText {

  private static final Pattern OVERLOAD =
      Pattern.compile("found no matching overload for '(.*?)' applied to '\\((.*?)\\)'.*", Pattern.DOTALL);
  private static final Pattern UNDECLARED =
      Pattern.compile("undeclared reference to '(.*?)'.*", Pattern.DOTALL);
  private static final Pattern SYNTAX = Pattern.compile(
      "(?:mismatched input|extraneous input|no viable alternative at input|token recognition error at:) '(.*?)'.*",
      Pattern.DOTALL);
  private static final Pattern FIELD = Pattern.compile("undefined field '(.*?)'.*", Pattern.DOTALL);
  private static final Pattern RANGE =
      Pattern.compile("expression of type '(.*?)' cannot be range of a comprehension.*", Pattern.DOTALL);

  private CelErrorText() {}

  static boolean isSyntaxError(String message) {
    return SYNTAX.matcher(message).matches();
  }

  /** Returns whether the error is that a field is selected from a value that has no fields. */
  static boolean isSelectionError(String message) {
    return message.contains("does not support field selection");
  }

  /** Returns the name that is not declared, or null if the message is about another error. */
  static @Nullable String undeclaredName(String message) {
    return name(UNDECLARED, message);
  }

  /** Returns the field that a record does not have, or null if the message is about another error. */
  static @Nullable String undefinedField(String message) {
    return name(FIELD, message);
  }

  private static @Nullable String name(Pattern pattern, String message) {
    var matcher = pattern.matcher(message);
    return matcher.matches() ? matcher.group(1) : null;
  }

  static String of(String message) {
    var overload = OVERLOAD.matcher(message);
    if (overload.matches()) {
      return overload(overload.group(1), overload.group(2));
    }
    var undeclared = undeclaredName(message);
    if (undeclared != null) {
      return undeclared + ": no such function" + nearest(undeclared);
    }
    var range = name(RANGE, message);
    if (range != null) {
      return "exists(), all(), filter() and map() need a list or a map, not a value of type " + range;
    }
    var syntax = name(SYNTAX, message);
    return syntax == null ? message : syntax(syntax.strip());
  }

  private static String overload(String celOperator, String celTypes) {
    var operator = celOperator.replaceAll("[_@]", "");
    var types = celTypes.replaceAll("google\\.protobuf\\.(Duration|Timestamp)", "$1").toLowerCase(Locale.ROOT);
    var hint = operator.matches("[*/%]") && types.contains("duration")
        ? "to get a whole number from a duration x, write x.getHours(), x.getMinutes() or x.getSeconds()"
        : hint(types);
    return "no matching overload: '" + operator + "' cannot be used on (" + types + ")"
        + (hint == null ? "" : "; " + hint);
  }

  private static @Nullable String hint(String types) {
    if (types.contains("int") && types.contains("double")) {
      return "figures are doubles, so write 2.0 for 2, and double(x) for a whole number x";
    }
    if (types.contains("duration")) {
      return "a duration is written duration(\"10m\")";
    }
    if (types.contains("timestamp")) {
      return "a time is written timestamp(\"2026-01-01T00:00:00Z\"), and age(x) is the time that has passed since x";
    }
    return types.contains("string") ? "a text is compared with a text in quotes: network == \"solana\"" : null;
  }

  private static String syntax(String input) {
    var unexpected = input.equals("<EOF>") ? "the expression ends too early" : "'" + input + "' does not belong here";
    if (input.matches("_[0-9_]+")) {
      return unexpected + ": numbers are written without underscores";
    }
    return unexpected + switch (input.toLowerCase(Locale.ROOT)) {
      case "and" -> ": 'and' is written &&";
      case "or" -> ": 'or' is written ||";
      case "not" -> ": 'not' is written !";
      case "=" -> ": 'is equal to' is written ==";
      case "ms", "s", "m", "h" -> ": a duration is written duration(\"10m\")";
      case "d" -> ": a duration is written duration(\"24h\"), because CEL has no unit for days";
      case "&", "|" -> ": 'and' is written &&, 'or' is written ||";
      default -> "";
    };
  }

  private static String nearest(String wrong) {
    if (wrong.equals("max") || wrong.equals("min")) {
      return "; compare each value: a > 5.0 || b > 5.0 (highest() and lowest() are for values over time)";
    }
    var meant = CelFunctions.nearest(wrong);
    return meant == null
        ? "; the functions are " + String.join(", ", CelFunctions.NAMES)
        : "; did you mean " + meant + "?";
  }
}
