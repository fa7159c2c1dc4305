package io.tidemark.notify;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A configured receiver of alerts: a chat or a program.
 *
 * @param url URL to which notifications are posted; a secret, since anyone who knows it can post there
 * @param match selects the alerts to deliver
 * @param limit limit of notifications; if it is reached and several alerts wait, they become a digest
 * @param deliverWithin age above which the first waiting alert becomes a digest with the others, if several alerts
 *     wait; also the age up to which an alert that was set aside is retried, unless it is part of an incident
 * @param privateAddresses whether the URL may resolve to this machine or a private network
 */
public record Receiver(
    String name,
    NotificationFormat format,
    URI url,
    AlertMatcher match,
    NotificationLimit limit,
    Duration deliverWithin,
    boolean privateAddresses) {

  public Receiver {
    if (!name.matches("[a-zA-Z0-9_-]{1,60}")) {
      throw new IllegalArgumentException("name: must be 1 to 60 letters, digits, dashes and underscores");
    }
    if (url.getHost() == null || !List.of("https", "http").contains(url.getScheme())) {
      throw new IllegalArgumentException("url: must begin with https:// or http:// and name a host");
    }
    if (deliverWithin.compareTo(Duration.ofSeconds(10)) < 0) {
      throw new IllegalArgumentException("deliver-within: must be at least 10s");
    }
  }

  @Override
  public String toString() {
    return "receiver " + name;
  }
}
