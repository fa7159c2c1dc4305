package io.tidemark.receiver;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Someone who wants to hear of alerts: a person's chat, or a program.
 *
 * @param url where it is told; a secret, since whoever knows it can write there
 * @param match which alerts it wants
 * @param limit messages, at most; the rest becomes a digest
 * @param deliverWithin what is older than this when it could be told becomes part of a digest
 * @param privateAddresses whether it may be on this machine or in this network
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

  /** Of an address, only what is no secret. */
  static String host(URI url) {
    return url.getScheme() + "://" + url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort());
  }

  @Override
  public String toString() {
    return "receiver " + name;
  }
}
