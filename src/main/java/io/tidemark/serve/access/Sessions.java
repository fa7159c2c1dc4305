package io.tidemark.serve.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.Secret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of browsers that logged in with a key. Nothing is stored: a session is a text with the key's name, the
 * session's end, and a MAC over both and the hash of the key. So each instance with the same secret accepts the
 * session, and removing or replacing a key in the configuration ends the sessions of that key.
 *
 * <p>The secret is not derived from the hashes of the keys, because otherwise anyone who can read the configuration
 * could sign sessions.
 */
public final class Sessions {

  public static final Duration LIFE = Duration.ofDays(7);

  private static final int PARTS = 3;

  private final AccessKeys keys;
  private final byte[] secret;
  private final InstantSource clock;

  /** A session of a browser that logged in with {@code key}, valid until {@code until}. */
  public record Session(AccessKey key, Instant until) {}

  /**
   * @param secret secret that signs sessions; null for a random secret. With a random secret, sessions end with the
   *     process, and no other instance accepts them
   */
  public Sessions(AccessKeys keys, @Nullable Secret secret, InstantSource clock) {
    this.keys = keys;
    this.secret = (secret == null ? AccessKeys.generate() : secret.value()).getBytes(UTF_8);
    this.clock = clock;
  }

  /** Begins a session for a key, which ends after {@link #LIFE}. */
  public Session begin(AccessKey key) {
    return new Session(key, Instant.ofEpochSecond(clock.instant().plus(LIFE).getEpochSecond()));
  }

  /** Returns the text of a session, which is the value of its cookie. */
  public String text(Session session) {
    var end = Long.toString(session.until().getEpochSecond());
    return end + "." + mac(session.key(), end) + "." + session.key().name();
  }

  /**
   * Returns the session with the given text, or null if the session has ended, was not signed with this instance's
   * secret, or its key was removed or replaced.
   */
  public @Nullable Session find(String text) {
    var parts = text.split("\\.", PARTS);
    var key = parts.length == PARTS ? keys.named(parts[2]) : null;
    if (key == null || !MessageDigest.isEqual(mac(key, parts[0]).getBytes(UTF_8), parts[1].getBytes(UTF_8))) {
      return null;
    }
    var until = Instant.ofEpochSecond(Long.parseLong(parts[0])); // the MAC proves that this server wrote it
    return clock.instant().isBefore(until) ? new Session(key, until) : null;
  }

  private String mac(AccessKey key, String end) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      var message = "tidemark session\n" + end + "\n" + key.name() + "\n" + key.hash();
      return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(message.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("each Java platform has HmacSHA256", e);
    }
  }
}
