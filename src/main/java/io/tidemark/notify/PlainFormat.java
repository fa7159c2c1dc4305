package io.tidemark.notify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.tidemark.event.Secret;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Posts JSON to programs, signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> specifies. The
 * body is {@code {"type": "alert", "timestamp": ..., "data": {...}}}. The type of a digest is {@code digest}.
 *
 * @param secrets keys as {@link #signingKey} returns them, each of which adds one signature to a request; two keys
 *     during a rotation, or none for unsigned requests
 */
public record PlainFormat(List<Secret> secrets, NotificationLinks links) implements NotificationFormat {

  private static final String PREFIX = "whsec_";
  private static final int SHORTEST = 24;

  /** Parses a key of at least 24 bytes in base64, with or without the prefix {@code whsec_}. */
  public static Secret signingKey(String text) {
    var base64 = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
    try {
      if (Base64.getDecoder().decode(base64).length >= SHORTEST) {
        return new Secret(base64);
      }
    } catch (IllegalArgumentException e) {
      // the exception below reports it without the secret
    }
    throw new IllegalArgumentException(
        "a secret must be at least 24 bytes in base64, with or without the prefix whsec_");
  }

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    var body = NotificationJson.text(switch (notification) {
      case Notification.SingleAlert(var alert, var trace) ->
          wrapped("alert", alert.getEventTime(), NotificationJson.alert(alert, links));
      case Notification.AlertDigest digest -> wrapped("digest", digest.to(), NotificationJson.digest(digest));
    });
    var time = Long.toString(now.getEpochSecond());
    var signed = notification.id() + "." + time + "." + body;
    var signatures = secrets.stream().map(secret -> "v1," + signature(secret, signed)).collect(joining(" "));
    var headers = Map.of("webhook-id", notification.id(), "webhook-timestamp", time, "webhook-signature", signatures);
    return new WebhookRequest("application/json", body, headers);
  }

  private static Object wrapped(String type, Instant at, Object content) {
    return NotificationJson.object("type", type, "timestamp", at, "data", content);
  }

  private static String signature(Secret secret, String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.value()), "HmacSHA256"));
      return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java runtime must support HmacSHA256", e);
    }
  }
}
