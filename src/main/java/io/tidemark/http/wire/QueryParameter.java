package io.tidemark.http.wire;

import io.tidemark.market.WireValue;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A query parameter in the interface document.
 *
 * @param names the name of the parameter, followed by other names that are also read
 * @param defaultValue the default; null if there is none
 * @param read parses a text; throws {@link InvalidParameterException}
 */
record QueryParameter<T>(List<String> names, @Nullable T defaultValue, Function<String, T> read,
    Function<T, String> write) {
  private static final Pattern PAGE = Pattern.compile("[1-9][0-9]{0,8}");
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("dd-MM-uuuu", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

  static QueryParameter<String> text(String name) {
    return new QueryParameter<>(List.of(name), null, text -> text, text -> text);
  }

  static QueryParameter<Boolean> flag(List<String> names, boolean defaultValue) {
    return new QueryParameter<>(names, defaultValue, text -> flag(names.getFirst(), text), String::valueOf);
  }

  /** Creates a page parameter, whose values begin at 1. */
  static QueryParameter<Integer> page() {
    return new QueryParameter<>(List.of("page"), 1, QueryParameter::readPage, String::valueOf);
  }

  /** Creates a parameter for a day, as dd-mm-yyyy. */
  static QueryParameter<LocalDate> day(String name) {
    return new QueryParameter<>(List.of(name), null, text -> readDay(name, text), DAY::format);
  }

  /** Creates a parameter for one value of a closed set. */
  static <E extends WireValue> QueryParameter<E> oneOf(String name, @Nullable E defaultValue, E[] values) {
    return new QueryParameter<>(List.of(name), defaultValue, text -> oneOf(name, text, values), WireValue::wire);
  }

  /** Creates a parameter for several values of a closed set, which are written comma-separated and sorted. */
  static <E extends WireValue> QueryParameter<Set<E>> someOf(String name, Set<E> defaultValue, E[] values) {
    return new QueryParameter<>(List.of(name), defaultValue, text -> someOf(name, text, values),
        QueryParameter::joined);
  }

  String name() {
    return names.getFirst();
  }

  private static boolean flag(String name, String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw InvalidParameterException.invalid(name, "true, false");
    };
  }

  private static int readPage(String text) {
    if (!PAGE.matcher(text).matches()) {
      throw InvalidParameterException.invalid("page", "1, 2, 3, ...");
    }
    return Integer.parseInt(text);
  }

  private static LocalDate readDay(String name, String text) {
    try {
      return LocalDate.parse(text, DAY);
    } catch (DateTimeParseException e) {
      throw InvalidParameterException.invalid(name, "days in the form dd-mm-yyyy");
    }
  }

  private static <E extends WireValue> E oneOf(String name, String text, E[] values) {
    for (var value : values) {
      if (value.wire().equals(text)) {
        return value;
      }
    }
    throw InvalidParameterException.invalid(name,
        Arrays.stream(values).map(WireValue::wire).collect(Collectors.joining(", ")));
  }

  private static <E extends WireValue> Set<E> someOf(String name, String text, E[] values) {
    var some = new HashSet<E>();
    for (var value : text.split(",", 0)) {
      if (!value.isBlank()) {
        some.add(oneOf(name, value.strip(), values));
      }
    }
    return Set.copyOf(some);
  }

  private static <E extends WireValue> String joined(Set<E> values) {
    return values.stream().map(WireValue::wire).sorted().collect(Collectors.joining(","));
  }
}
