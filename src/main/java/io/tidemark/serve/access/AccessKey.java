package io.tidemark.serve.access;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A configured key of the web port. The configuration contains the hash of the key, not the key itself. The hash has no
 * salt and is fast: slow and salted hashes protect secrets that people choose, a key has 256 random bits, and a slow
 * hash for each request would make the server easy to overload.
 *
 * @param name name of the person or program that holds the key, such as {@code desk-3}
 * @param hash {@code sha256:} and the SHA-256 of the key's text in hexadecimal digits
 * @param rights what the key allows; each right includes those before it
 * @param perMinute maximum requests per minute at each instance; the requests of a full minute may arrive in one
 *     burst
 */
public record AccessKey(String name, String hash, Set<AccessRight> rights, int perMinute) {

  public static final int DEFAULT_PER_MINUTE = 600;
  static final int MOST_PER_MINUTE = 1_000_000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}");
  private static final Pattern HASH = Pattern.compile("sha256:[0-9a-f]{64}");

  public AccessKey {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name: must be 1 to 64 letters, digits and any of _ . @ -, beginning with a letter or digit");
    }
    if (!HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException(
          "hash: must be 'sha256:' followed by 64 lower-case hexadecimal digits, as 'tidemark key new' prints it; do"
              + " not enter the key itself");
    }
    if (rights.isEmpty()) {
      throw new IllegalArgumentException("rights: must be some of read, write and configure");
    }
    if (perMinute < 1 || perMinute > MOST_PER_MINUTE) {
      throw new IllegalArgumentException("per-minute: must be 1 to " + MOST_PER_MINUTE + " requests, got " + perMinute);
    }
    rights = Set.copyOf(EnumSet.range(AccessRight.READ, Collections.max(rights)));
  }

  public boolean allows(AccessRight right) {
    return rights.contains(right);
  }

  /** Returns the line that configures this key under {@code web.keys}. */
  public String configuration() {
    var names = Arrays.stream(AccessRight.values()).filter(rights::contains).map(AccessRight::wire).toList();
    return "{ name: %s, hash: \"%s\", rights: [%s], per-minute: %d }".formatted(
        name, hash, String.join(", ", names), perMinute);
  }
}
