package io.tidemark.event;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/** SHA-256 digests in hexadecimal digits. */
public final class Sha256 {
  private Sha256() {}

  public static String hex(byte[] bytes) {
    return Hashing.sha256().hashBytes(bytes).toString();
  }

  /** Returns the digest of the text encoded as UTF-8. */
  public static String hex(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }
}
