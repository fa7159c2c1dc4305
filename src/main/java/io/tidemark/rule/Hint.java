package io.tidemark.rule;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the language says is wrong, in words that say what to do about it. */
final class Hint {

  private static final Pattern OVERLOAD =
      Pattern.compile("found no matching overload for '(.*?)' applied to '\\((.*?)\\)'.*", Pattern.DOTALL);
  private static final Pattern UNDECLARED =
      Pattern.compile("undeclared reference to '(.*?)'.*", Pattern.DOTALL);
  private static final Pattern SYNTAX = Pattern.compile(
      "(?:mismatched input|extraneous input|no viable alternative at input|token recognition error at:) '(.*?)'.*",
      Pattern.DOTALL);

  private Hint() {}

  static String of(String message) {
    var overload = OVERLOAD.matcher(message);
    if (overload.matches()) {
      return overload(overload.group(1), overload.group(2));
    }
    var undeclared = UNDECLARED.matcher(message);
    if (undeclared.matches()) {
      return undeclared.group(1) + ": no such function" + nearest(undeclared.group(1));
    }
    var syntax = SYNTAX.matcher(message);
    return syntax.matches() ? syntax(syntax.group(1)) : message;
  }

  private static String overload(String operator, String types) {
    var plain = operator.replaceAll("[_@]", "");
    var words = types.replaceAll("google\\.protobuf\\.(Duration|Timestamp)", "$1").toLowerCase(Locale.ROOT);
    var hint = typeHint(words);
    return "no matching overload: '" + plain + "' cannot be used on (" + words + ")" + (hint == null ? "" : "; " + hint);
  }

  private static @Nullable String typeHint(String types) {
    if (types.contains("int") && types.contains("double")) {
      return "figures are doubles, so write 2.0 for 2 wherever one stands beside them, or double(x) for a whole number x";
    }
    if (types.contains("duration")) {
      return "a duration is written duration(\"10m\")";
    }
    if (types.contains("timestamp")) {
      return "a time is written timestamp(\"2026-01-01T00:00:00Z\"), and age(x) says how long one is past";
    }
    return types.contains("string") ? "a text is compared with a text in quotes: network == \"solana\"" : null;
  }

  private static String syntax(String input) {
    var word = input.strip();
    var said = word.equals("<EOF>") ? "ends too early" : "'" + word + "' does not belong here";
    if (word.matches("_[0-9_]+")) {
      return said + ": numbers are written without underscores";
    }
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "and" -> said + ": 'and' is written &&";
      case "or" -> said + ": 'or' is written ||";
      case "not" -> said + ": 'not' is written !";
      case "=" -> said + ": 'is equal to' is written ==";
      case "ms", "s", "m", "h", "d" -> said + ": a duration is written duration(\"10m\")";
      case "&", "|" -> said + ": 'and' is written &&, 'or' is written ||";
      default -> said;
    };
  }

  private static String nearest(String wrong) {
    if (wrong.equals("max") || wrong.equals("min")) {
      return "; ask for each: a > 5.0 || b > 5.0 (highest and lowest are over a time)";
    }
    var meant = Functions.nearest(wrong);
    return meant == null ? "; there are " + String.join(", ", Functions.NAMES) : "; did you mean " + meant + "?";
  }
}
