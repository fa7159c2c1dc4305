package io.tidemark.http.server;

import java.nio.file.Path;
import java.time.Instant;

/**
 * The certificate of a listener and its key, as files in PEM.
 *
 * @param certificate its own first, then those of the authorities between
 * @param key as PKCS #8, without a password
 */
public record TlsFiles(Path certificate, Path key) {

  /**
   * Reads both files, and returns when the certificate ends.
   *
   * @throws IllegalArgumentException that says what is wrong with them, and nothing of what is in the key
   */
  public Instant check() {
    return ReloadedTls.load(this).end();
  }
}
