package io.tidemark.receiver;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A receiver of alerts, as configured: a chat or a program.
 *
 * @param url where notifications are posted; a secret, since whoever knows it can post there
 * @param match selects the alerts
 * @param limit of notifications; further alerts become a digest
 * @param deliverWithin the greatest age of a single alert; older alerts become a digest
 * @param privateAddresses whether the URL may lead to this machine or a private network
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
      throw new IllegalArgumentException("name: 1 to 60 letters, digits, dashes and underscores");
    }
    if (url.getHost() == null || !List.of("https", "http").contains(url.getScheme())) {
      throw new IllegalArgumentException("url: it must begin with https:// or http:// and name a host");
    }
    if (deliverWithin.compareTo(Duration.ofSeconds(10)) < 0) {
      throw new IllegalArgumentException("deliver-within: at least 10s");
    }
  }

  @Override
  public String toString() {
    return "receiver " + name;
  }
}
