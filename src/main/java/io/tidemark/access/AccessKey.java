package io.tidemark.access;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A key of the web port, as the configuration knows it: by its hash.
 *
 * @param name of the person or program that has it, such as {@code desk-3}
 * @param hash {@code sha256:} and the SHA-256 of the key's text in hexadecimal digits
 * @param rights what it allows; {@code WRITE} includes {@code READ}
 * @param perMinute requests of one instance; a full minute of them may come at once
 */
public record AccessKey(String name, String hash, Set<AccessRight> rights, int perMinute) {

  public static final int DEFAULT_PER_MINUTE = 600;
  static final int MOST_PER_MINUTE = 1_000_000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}");
  private static final Pattern HASH = Pattern.compile("sha256:[0-9a-f]{64}");

  public AccessKey {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name: 1 to 64 letters, digits and any of _ . @ -, beginning with a letter or digit");
    }
    if (!HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException(
          "hash: sha256: and 64 hexadecimal digits in lower case, as 'tidemark key new' prints it; never the key itself");
    }
    if (rights.isEmpty()) {
      throw new IllegalArgumentException("rights: read, or read and write");
    }
    if (perMinute < 1 || perMinute > MOST_PER_MINUTE) {
      throw new IllegalArgumentException("per-minute: 1 to " + MOST_PER_MINUTE + " requests, not " + perMinute);
    }
    var all = new TreeSet<>(rights);
    all.add(AccessRight.READ);
    rights = Set.copyOf(all);
  }

  public boolean allows(AccessRight right) {
    return rights.contains(right);
  }

  byte[] hashBytes() {
    return HexFormat.of().parseHex(hash.substring(hash.indexOf(':') + 1));
  }

  /** The line under {@code web.keys} of the configuration. */
  public String configuration() {
    var names = Arrays.stream(AccessRight.values()).filter(rights::contains).map(AccessRight::wire).toList();
    return "{ name: %s, hash: \"%s\", rights: [%s], per-minute: %d }".formatted(
        name, hash, String.join(", ", names), perMinute);
  }
}
