package io.tidemark.access;

import io.tidemark.yaml.Secret;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may use the web port.
 *
 * @param keys with names and hashes of their own
 * @param anonymous who may read without a key
 * @param sessionSecret with which sessions of browsers are signed, the same on each instance; null for a random one
 */
public record AccessSettings(List<AccessKey> keys, AnonymousReader anonymous, @Nullable Secret sessionSecret) {

  /** Who may read without a key. */
  public enum AnonymousReader {
    /** Nobody, where there are keys; else {@link #LOCAL}. */
    NONE,
    /** Programs of this machine, by a name of it: a page of another site that has its name point here is refused. */
    LOCAL,
    /** From wherever the port is reached. */
    READ
  }

  /** Nothing is configured: anybody on this machine may read. */
  public static final AccessSettings LOCAL = new AccessSettings(List.of(), AnonymousReader.NONE, null);

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

  /** Whether only this machine may be let in: nobody needs a key to read, and nobody has allowed others to come without. */
  public boolean isLocalOnly() {
    return anonymous == AnonymousReader.LOCAL || (keys.isEmpty() && anonymous == AnonymousReader.NONE);
  }

  /** Whether what is read needs a key. */
  public boolean needsKey() {
    return !keys.isEmpty() && anonymous == AnonymousReader.NONE;
  }
}
