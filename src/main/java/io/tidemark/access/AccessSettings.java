package io.tidemark.access;

import io.tidemark.yaml.Secret;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the web port.
 *
 * @param keys with names and hashes of their own
 * @param anonymous who may read without a key
 * @param anonymousPerMinute requests of one address without a key, if others than this machine may read without one
 * @param sessionSecret with which sessions of browsers are signed, the same on each instance; null for a random one
 */
public record AccessSettings(
    List<AccessKey> keys, AnonymousAccess anonymous, int anonymousPerMinute, @Nullable Secret sessionSecret) {

  /** Who may read without a key. */
  public enum AnonymousAccess {
    /** Nobody, where there are keys; else {@link #LOCAL}. */
    NONE,
    /** Clients of this machine, if the header {@code Host} names it too: that keeps out DNS rebinding. */
    LOCAL,
    /** Whoever reaches the port; {@code read} in the configuration. */
    ANYWHERE;

    /** As it is written in the configuration. */
    public String wire() {
      return this == ANYWHERE ? "read" : name().toLowerCase(Locale.ROOT);
    }
  }

  /** The page asks for a few a second. A program that needs more takes a key. */
  public static final int DEFAULT_ANONYMOUS_PER_MINUTE = 6_000;

  /** Nothing is configured: anybody on this machine may read. */
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
            "keys: two of them have the name " + key.name() + ", or its hash; each needs its own");
      }
    }
    if (sessionSecret != null && sessionSecret.value().length() < SHORTEST_SECRET) {
      throw new IllegalArgumentException("session-secret: at least " + SHORTEST_SECRET
          + " characters, such as those of 'openssl rand -base64 32'");
    }
  }

  /** Whether only this machine may be let in: nobody needs a key to read, and nobody has allowed others to come without. */
  public boolean isLocalOnly() {
    return anonymous == AnonymousAccess.LOCAL || (keys.isEmpty() && anonymous == AnonymousAccess.NONE);
  }

  /** Whether what is read needs a key. */
  public boolean needsKey() {
    return !keys.isEmpty() && anonymous == AnonymousAccess.NONE;
  }
}
