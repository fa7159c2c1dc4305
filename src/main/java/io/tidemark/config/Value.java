package io.tidemark.config;

import static java.util.stream.Collectors.joining;

import io.tidemark.market.WireValue;
import io.tidemark.yaml.FilePosition;
import io.tidemark.yaml.Spelling;
import io.tidemark.yaml.YamlException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One value of the configuration as text, and what it can be read as.
 *
 * @param path its name, for people
 * @param shown what is shown of it when it is wrong: never what a variable held
 */
record Value(FilePosition place, String path, String text, String shown) {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h|d)");

  Value(FilePosition place, String path, String text) {
    this(place, path, text, text);
  }

  int whole() {
    return as(Integer::parseInt, "a whole number");
  }

  long large() {
    return as(Long::parseLong, "a whole number");
  }

  double number() {
    return as(Double::parseDouble, "a number");
  }

  boolean flag() {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong("true or false");
    };
  }

  Duration duration() {
    var matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw wrong("a duration such as 500ms, 30s, 10m, 6h or 30d");
    }
    return unit(matcher.group(2)).multipliedBy(Long.parseLong(matcher.group(1)));
  }

  /** One of the document's words. */
  <E extends WireValue> E word(E[] words) {
    return Stream.of(words)
        .filter(word -> word.wire().equals(text))
        .findFirst()
        .orElseThrow(() -> wrongWord(Stream.of(words).map(WireValue::wire).toList()));
  }

  /** What a constructor makes of it; what that says is wrong is said with the place. */
  <T> T made(Function<String, T> constructor) {
    try {
      return constructor.apply(text);
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  /** The same value, part of its text. */
  Value withText(String part) {
    return new Value(place, path, part, shown);
  }

  YamlException refused(String problem) {
    return new YamlException(place, path, problem);
  }

  YamlException wrongWord(List<String> words) {
    return wrong("one of " + words.stream().collect(joining(", ")), Spelling.nearest(text, words));
  }

  private <T> T as(Function<String, T> parse, String what) {
    try {
      return parse.apply(text);
    } catch (NumberFormatException e) {
      throw wrong(what);
    }
  }

  private YamlException wrong(String due) {
    return wrong(due, null);
  }

  private YamlException wrong(String due, @Nullable String meant) {
    return refused("'" + shown + "' stands where " + due + " is due" + (meant == null ? "" : "; " + meant + "?"));
  }

  private static Duration unit(String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
  }
}
