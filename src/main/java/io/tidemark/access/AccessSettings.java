package io.tidemark.access;

import io.tidemark.yaml.Secret;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the web port.
 *
 * @param keys with names and hashes of their own
 * @param anonymousReading whether it is configured that anybody may read without a key, from wherever the port is reached
 * @param sessionSecret with which sessions of browsers are signed, the same on each instance; null for a random one
 */
public record AccessSettings(List<AccessKey> keys, boolean anonymousReading, @Nullable Secret sessionSecret) {

  /** Nothing is configured: anybody on this machine may read. */
  public static final AccessSettings LOCAL = new AccessSettings(List.of(), false, null);

  private static final int SHORTEST_SECRET = 32;

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

  /** Whether only this machine may be let in: nobody needs a key, and nobody has allowed others to come without. */
  public boolean isLocalOnly() {
    return keys.isEmpty() && !anonymousReading;
  }
}
