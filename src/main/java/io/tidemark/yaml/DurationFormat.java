package io.tidemark.yaml;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as rules write them: {@code 30s}, {@code 10m}, {@code 6h}, {@code 30d}. */
public final class DurationFormat {

  public static final String EXAMPLE = "a duration such as 30s, 10m, 6h or 30d";

  private static final Pattern WRITTEN = Pattern.compile("(\\d{1,6}) ?(s|m|h|d)");

  private DurationFormat() {}

  /** Null where the text is none. */
  public static @Nullable Duration parse(String text) {
    var matcher = WRITTEN.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    var unit = switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
    return unit.multipliedBy(Long.parseLong(matcher.group(1)));
  }

  /** In the largest unit that leaves no rest. */
  public static String format(Duration span) {
    var seconds = span.toSeconds();
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    if (seconds % 3600 != 0) {
      return seconds / 60 + "m";
    }
    return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3600 + "h";
  }
}
