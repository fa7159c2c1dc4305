package io.tidemark.rule.expression;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the language says is wrong, in words that say what to do about it. */
final class CelErrorText {

  private static final Pattern OVERLOAD =
      Pattern.compile("found no matching overload for '(.*?)' applied to '\\((.*?)\\)'.*", Pattern.DOTALL);
  private static final Pattern UNDECLARED =
      Pattern.compile("undeclared reference to '(.*?)'.*", Pattern.DOTALL);
  private static final Pattern SYNTAX = Pattern.compile(
      "(?:mismatched input|extraneous input|no viable alternative at input|token recognition error at:) '(.*?)'.*",
      Pattern.DOTALL);

  private static final Pattern MEMBER = Pattern.compile("undefined field '(.*?)'.*", Pattern.DOTALL);

  private static final Pattern RANGE =
      Pattern.compile("expression of type '(.*?)' cannot be range of a comprehension.*", Pattern.DOTALL);

  private CelErrorText() {}

  static boolean isOfSyntax(String message) {
    return SYNTAX.matcher(message).matches();
  }

  /** Whether a member is asked of what has none. */
  static boolean isOfSelection(String message) {
    return message.contains("does not support field selection");
  }

  /** The name that is declared nowhere; null where that is not what is wrong. */
  static @Nullable String undeclared(String message) {
    return name(UNDECLARED, message);
  }

  /** The member that no such record has; null where that is not what is wrong. */
  static @Nullable String undefinedMember(String message) {
    return name(MEMBER, message);
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
    var undeclared = undeclared(message);
    if (undeclared != null) {
      return undeclared + ": no such function" + nearest(undeclared);
    }
    var range = name(RANGE, message);
    if (range != null) {
      return "exists, all, filter and map are asked of a list or a map, and this is of type " + range;
    }
    var syntax = SYNTAX.matcher(message);
    return syntax.matches() ? syntax(syntax.group(1)) : message;
  }

  private static String overload(String operator, String types) {
    var plain = operator.replaceAll("[_@]", "");
    var words = types.replaceAll("google\\.protobuf\\.(Duration|Timestamp)", "$1").toLowerCase(Locale.ROOT);
    var hint = plain.matches("[*/%]") && words.contains("duration")
        ? "hours of a duration x are x.getHours(), or x.getMinutes(), x.getSeconds(): whole numbers"
        : typeHint(words);
    return "no matching overload: '" + plain + "' cannot be used on (" + words + ")"
        + (hint == null ? "" : "; " + hint);
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
    var meant = CelFunctions.nearest(wrong);
    return meant == null ? "; there are " + String.join(", ", CelFunctions.NAMES) : "; did you mean " + meant + "?";
  }
}
