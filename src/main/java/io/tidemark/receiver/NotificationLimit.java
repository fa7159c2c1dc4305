package io.tidemark.receiver;

import java.time.Duration;
import java.util.regex.Pattern;

/** How many messages someone wants in a time, at most. */
public record NotificationLimit(int notifications, Duration period) {

  public static final NotificationLimit DEFAULT = new NotificationLimit(20, Duration.ofMinutes(1));

  private static final Pattern TEXT = Pattern.compile("(\\d{1,6}) per (second|minute|hour|day)");

  public NotificationLimit {
    if (notifications < 1) {
      throw new IllegalArgumentException("at least 1 message, not " + notifications);
    }
  }

  /** @param text such as {@code 15 per minute} */
  public static NotificationLimit parse(String text) {
    var matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' stands where something like '15 per minute' is due");
    }
    return new NotificationLimit(Integer.parseInt(matcher.group(1)), switch (matcher.group(2)) {
      case "second" -> Duration.ofSeconds(1);
      case "minute" -> Duration.ofMinutes(1);
      case "hour" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    });
  }
}
