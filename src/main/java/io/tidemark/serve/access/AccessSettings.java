package io.tidemark.serve.access;

import io.tidemark.event.Secret;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the web port.
 *
 * @param keys the configured keys, which have distinct names and hashes
 * @param anonymous who may read without a key
 * @param anonymousPerMinute maximum requests per minute from one address without a key; applies only if other machines
 *     may read without a key
 * @param sessionSecret secret that signs the sessions of browsers and must be the same on each instance; null for a
 *     random secret
 */
public record AccessSettings(
    List<AccessKey> keys, AnonymousAccess anonymous, int anonymousPerMinute, @Nullable Secret sessionSecret) {

  /** Who may read without a key. */
  public enum AnonymousAccess {
    /** Nobody if keys are configured; otherwise the same as {@link #LOCAL}. */
    NONE,
    /**
     * Clients on this machine, because the listener must then be on loopback. Requests whose header {@code Host}
     * names anything but loopback are refused, even with a key, to prevent DNS rebinding.
     */
    LOCAL,
    /** Anyone who can reach the port; {@code read} in the configuration. */
    ANYWHERE;

    /** Returns the name of this setting's value in the configuration. */
    public String wire() {
      return this == ANYWHERE ? "read" : name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Default of {@link #anonymousPerMinute}. It is enough for the page, which makes a few requests per second. A
   * program that needs more requests uses a key.
   */
  public static final int DEFAULT_ANONYMOUS_PER_MINUTE = 6_000;

  /** The settings if nothing is configured: anyone on this machine may read. */
  public static final AccessSettings LOCAL = new AccessSettings(List.of(), AnonymousAccess.NONE, null);

  private static final int SHORTEST_SECRET = 32;

  public AccessSettings(List<AccessKey> keys, AnonymousAccess anonymous, @Nullable Secret sessionSecret) {
    this(keys, anonymous, DEFAULT_ANONYMOUS_PER_MINUTE, sessionSecret);
  }

  public AccessSettings {
    keys = List.copyOf(keys);
    var names = new HashSet<String>();
    var hashes = new HashSet<String>();
    for (var key : keys) {
      if (!names.add(key.name()) || !hashes.add(key.hash())) {
        throw new IllegalArgumentException(
            "keys: the name or the hash of key " + key.name() + " is already used by another key; give each key its own"
                + " name and hash");
      }
    }
    if (sessionSecret != null && sessionSecret.value().length() < SHORTEST_SECRET) {
      throw new IllegalArgumentException("session-secret: must have at least " + SHORTEST_SECRET
          + " characters; 'openssl rand -base64 32' prints one");
    }
  }

  /** Returns whether only this machine is admitted, because reading needs no key and is not open to other machines. */
  public boolean isLocalOnly() {
    return anonymous == AnonymousAccess.LOCAL || (keys.isEmpty() && anonymous == AnonymousAccess.NONE);
  }

  /** Returns whether reading needs a key. */
  public boolean needsKey() {
    return !keys.isEmpty() && anonymous == AnonymousAccess.NONE;
  }
}
