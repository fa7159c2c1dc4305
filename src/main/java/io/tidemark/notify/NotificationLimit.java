package io.tidemark.notify;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Pattern;

/** The maximum number of notifications delivered to a receiver in a period. Failed attempts do not count. */
public record NotificationLimit(int notifications, Duration period) {

  private static final Pattern TEXT = Pattern.compile("(\\d{1,6}) per (second|minute|hour|day)");

  public NotificationLimit {
    if (notifications < 1) {
      throw new IllegalArgumentException("must be at least 1 notification, got " + notifications);
    }
  }

  /** Parses a text such as {@code 15 per minute}. */
  public static NotificationLimit parse(String text) {
    var matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a limit such as '15 per minute'");
    }
    var unit = ChronoUnit.valueOf(matcher.group(2).toUpperCase(Locale.ROOT) + "S");
    return new NotificationLimit(Integer.parseInt(matcher.group(1)), unit.getDuration());
  }
}
