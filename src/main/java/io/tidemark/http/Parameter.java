package io.tidemark.http;

import io.tidemark.market.Wire;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A query parameter of the document, written and read.
 *
 * @param names its name, then others it is read under
 * @param initial its value where it is left out; null where it then has none
 * @param read throws {@link BadParameter}
 */
record Parameter<T>(List<String> names, @Nullable T initial, Function<String, T> read, Function<T, String> write) {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("dd-MM-uuuu", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

  static Parameter<String> text(String name) {
    return new Parameter<>(List.of(name), null, text -> text, text -> text);
  }

  static Parameter<Boolean> flag(boolean initial, String... names) {
    return new Parameter<>(List.of(names), initial, text -> flag(names[0], text), String::valueOf);
  }

  /** A page, from 1. */
  static Parameter<Integer> page() {
    return new Parameter<>(List.of("page"), 1, Parameter::page, String::valueOf);
  }

  /** A day, as dd-mm-yyyy. */
  static Parameter<LocalDate> day(String name) {
    return new Parameter<>(List.of(name), null, text -> day(name, text), DAY::format);
  }

  /** One of a closed set. */
  static <E extends Wire> Parameter<E> one(String name, @Nullable E initial, E[] values) {
    return new Parameter<>(List.of(name), initial, text -> one(name, text, values), Wire::wire);
  }

  /** Some of a closed set, with commas between, in the order of their words. */
  static <E extends Wire> Parameter<Set<E>> some(String name, Set<E> initial, E[] values) {
    return new Parameter<>(List.of(name), initial, text -> some(name, text, values), Parameter::joined);
  }

  String name() {
    return names.getFirst();
  }

  private static boolean flag(String name, String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw BadParameter.invalid(name, "true, false");
    };
  }

  private static int page(String text) {
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw BadParameter.invalid("page", "1, 2, 3, ...");
    }
    return Integer.parseInt(text);
  }

  private static LocalDate day(String name, String text) {
    try {
      return LocalDate.parse(text, DAY);
    } catch (DateTimeParseException e) {
      throw BadParameter.invalid(name, "days in the form dd-mm-yyyy");
    }
  }

  private static <E extends Wire> E one(String name, String text, E[] values) {
    return Arrays.stream(values)
        .filter(value -> value.wire().equals(text))
        .findFirst()
        .orElseThrow(() -> BadParameter.invalid(name, words(Arrays.stream(values))));
  }

  private static <E extends Wire> Set<E> some(String name, String text, E[] values) {
    return Arrays.stream(text.split(","))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .map(word -> one(name, word, values))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static <E extends Wire> String joined(Set<E> values) {
    return values.stream().map(Wire::wire).sorted().collect(Collectors.joining(","));
  }

  private static String words(Stream<? extends Wire> values) {
    return values.map(Wire::wire).collect(Collectors.joining(", "));
  }
}
