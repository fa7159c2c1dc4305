package io.tidemark.yaml;

import io.tidemark.event.DurationFormat;
import io.tidemark.event.NameSuggestion;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A single value in a YAML file, which can be read as various types. Reading an invalid value throws a {@link
 * YamlException} with the position and path of the value.
 *
 * @param path the keys that lead to the value, joined by dots
 * @param text the value, in which environment variables are replaced by their contents
 * @param written the value as messages show it, in which environment variables are not replaced; equal to {@code
 *     text} if an environment variable overrides the value
 */
public record YamlValue(FilePosition position, String path, String text, String written) {

  YamlValue(FilePosition position, String path, String text) {
    this(position, path, text, text);
  }

  public int integer() {
    return number(Integer::parseInt, "a whole number");
  }

  /**
   * Returns the value as a whole number, which must be in a range. {@code expected} describes the range in messages.
   */
  public int integer(int lowest, int highest, String expected) {
    var integer = integer();
    if (integer < lowest || integer > highest) {
      throw invalid("must be " + expected + ", got " + written);
    }
    return integer;
  }

  public long longInteger() {
    return number(Long::parseLong, "a whole number");
  }

  public double number() {
    return number(Double::parseDouble, "a number");
  }

  public boolean flag() {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw isNot("true or false", null);
    };
  }

  public Duration duration(DurationFormat format) {
    var duration = format.parse(text);
    if (duration == null) {
      throw isNot(format.example(), null);
    }
    return duration;
  }

  /** Returns the text, which must be one of the given texts. */
  public String oneOf(List<String> texts) {
    if (!texts.contains(text)) {
      throw isNot("one of " + String.join(", ", texts), NameSuggestion.nearest(text, texts));
    }
    return text;
  }

  /** Returns the element whose name is the text of this value. */
  public <E> E oneOf(E[] values, Function<E, String> nameOf) {
    var name = oneOf(Stream.of(values).map(nameOf).toList());
    return Stream.of(values).filter(value -> nameOf.apply(value).equals(name)).findFirst().orElseThrow();
  }

  /** Returns the value as a URI. Messages do not show an invalid one, since it may contain a login. */
  public URI uri() {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw invalid("the value is not an address such as https://example.org");
    }
  }

  /**
   * Calls a constructor with the text and returns the result. Converts an {@code IllegalArgumentException} from the
   * constructor to a {@link YamlException} with the position of this value.
   */
  public <T> T as(Function<String, T> constructor) {
    return YamlException.locate(() -> constructor.apply(text), this::invalid);
  }

  /** Returns a value at the same position whose text is a part of this value's text. */
  public YamlValue withText(String part) {
    return new YamlValue(position, path, part, written);
  }

  public YamlException invalid(String problem) {
    return new YamlException(position, path, problem);
  }

  private <T> T number(Function<String, T> parse, String expected) {
    try {
      return parse.apply(text);
    } catch (NumberFormatException e) {
      throw isNot(expected, null);
    }
  }

  private YamlException isNot(String expected, @Nullable String meant) {
    return invalid("'" + written + "' is not " + expected + (meant == null ? "" : "; did you mean " + meant + "?"));
  }
}
