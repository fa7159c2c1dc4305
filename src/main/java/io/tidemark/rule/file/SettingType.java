package io.tidemark.rule.file;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import io.tidemark.event.FigureMath;
import io.tidemark.yaml.DurationFormat;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What kind of value a setting of a rule holds: its default tells. */
public enum SettingType {
  NUMBER("a number", SimpleType.DOUBLE),
  YES_OR_NO("true or false", SimpleType.BOOL),
  DURATION(DurationFormat.EXAMPLE, SimpleType.DURATION),
  TEXT("a text that is no number, duration, true or false", SimpleType.STRING),
  NUMBERS("a list of numbers", ListType.create(SimpleType.DOUBLE)),
  TEXTS("a list of texts, not all of them numbers", ListType.create(SimpleType.STRING));

  private final String description;
  private final CelType cel;

  SettingType(String description, CelType cel) {
    this.description = description;
    this.cel = cel;
  }

  String description() {
    return description;
  }

  public CelType cel() {
    return cel;
  }

  public static SettingType of(Object value) {
    return switch (value) {
      case Double number -> NUMBER;
      case Boolean yes -> YES_OR_NO;
      case Duration span -> DURATION;
      case List<?> list -> !list.isEmpty() && list.getFirst() instanceof Double ? NUMBERS : TEXTS;
      default -> TEXT;
    };
  }

  /** The kind that a value as it was written is of. */
  static Object guess(String text) {
    for (var type : List.of(YES_OR_NO, NUMBER, DURATION)) {
      var value = type.read(text);
      if (value != null) {
        return value;
      }
    }
    return text;
  }

  static List<Object> guess(List<String> texts) {
    var numbers = texts.stream().map(NUMBER::read).toList();
    return texts.isEmpty() || numbers.contains(null) ? List.copyOf(texts) : List.copyOf(numbers);
  }

  /** A value of this kind; null where the text is none. */
  @Nullable
  Object read(String text) {
    return switch (this) {
      case NUMBER, NUMBERS -> text.matches("[-+]?[0-9._]+([eE][-+]?[0-9]+)?") ? number(text) : null;
      case YES_OR_NO -> text.equals("true") || text.equals("false") ? (Object) text.equals("true") : null;
      case DURATION -> DurationFormat.parse(text);
      default -> text;
    };
  }

  boolean isList() {
    return this == NUMBERS || this == TEXTS;
  }

  private static @Nullable Double number(String text) {
    return FigureMath.parse(text.replace("_", ""));
  }
}
