package io.tidemark.http.server;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/**
 * The TLS context of a listener, loaded from files that may be replaced while the listener runs. Connections that are
 * opened after a reload use the new files.
 */
public final class ReloadedTls extends SslContext {

  private static final Logger LOG = LoggerFactory.getLogger(ReloadedTls.class);
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final String ADVICE =
      "; the first file must contain the certificate, followed by the certificates of its authorities,"
          + " and the second file its RSA or EC key in PKCS #8 (BEGIN PRIVATE KEY) without a password";

  private final String listener;
  private final TlsFiles files;
  private volatile TlsIdentity identity;
  private volatile String problem = "";

  /**
   * The content of the certificate file and the key file, read one after the other and known to match.
   *
   * @param end time at which the certificate expires
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by isSame
  record TlsIdentity(byte[] certificate, byte[] key, Instant end, SslContext context) {
    boolean isSame(TlsIdentity other) {
      return Arrays.equals(certificate, other.certificate) && Arrays.equals(key, other.key);
    }
  }

  /** Loads the files. Throws {@link IllegalArgumentException} if they cannot be used. */
  public ReloadedTls(String listener, TlsFiles files) {
    this.listener = listener;
    this.files = files;
    this.identity = load(files);
  }

  /** Rereads the files every few seconds, until the returned {@code Disposable} is disposed. */
  public Disposable follow() {
    return Schedulers.boundedElastic()
        .schedulePeriodically(this::reload, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** If the files cannot be used, the previous certificate and key stay. A persisting problem is logged only once. */
  void reload() {
    try {
      var read = load(files);
      if (!read.isSame(identity)) {
        identity = read;
        LOG.info("listener {}: new connections use the new certificate in {}, which expires at {}", listener,
            files.certificate(), read.end);
      }
      problem = "";
    } catch (RuntimeException e) {
      var message = String.valueOf(e.getMessage());
      if (!message.equals(problem)) {
        problem = message;
        LOG.warn("listener {}: the new TLS files were not loaded ({}); the previous certificate stays in use and"
            + " expires at {}", listener, message, identity.end);
      }
    }
  }

  static TlsIdentity load(TlsFiles files) {
    var certificate = read("certificate", files.certificate());
    var key = read("key", files.key());
    try {
      var context = SslContextBuilder
          .forServer(new ByteArrayInputStream(certificate), new ByteArrayInputStream(key)).build();
      var first = toX509Certificates(new ByteArrayInputStream(certificate))[0];
      if (fit(toPrivateKey(new ByteArrayInputStream(key), null), first.getPublicKey())) {
        return new TlsIdentity(certificate, key, first.getNotAfter().toInstant(), context);
      }
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "tls: cannot use " + files.certificate() + " and " + files.key() + ADVICE, e);
    }
    throw new IllegalArgumentException("tls: the key in " + files.key() + " does not match " + files.certificate());
  }

  private static byte[] read(String name, Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "tls." + name + ": cannot read " + file + ": " + e.getClass().getSimpleName(), e);
    }
  }

  /** Returns whether the public key verifies a signature made with the private key. */
  private static boolean fit(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    var signature = Signature.getInstance(switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    });
    var text = new byte[] {1, 2, 3};
    signature.initSign(key);
    signature.update(text);
    var signed = signature.sign();
    signature.initVerify(certified);
    signature.update(text);
    return signature.verify(signed);
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return identity.context.cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // the superclass requires this deprecated method
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return identity.context.applicationProtocolNegotiator();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return identity.context.newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
    return identity.context.newEngine(allocator, peerHost, peerPort);
  }

  @Override
  public SSLSessionContext sessionContext() {
    return identity.context.sessionContext();
  }

  /**
   * The PEM files with a listener's certificate and key.
   *
   * @param certificate file with the listener's certificate, followed by the certificates of the intermediate
   *     authorities
   * @param key file with the key in PKCS #8, without a password
   */
  public record TlsFiles(Path certificate, Path key) {

    /**
     * Reads both files, and returns the time at which the certificate expires.
     *
     * @throws IllegalArgumentException if the files cannot be used; the message gives the reason but no part of the
     *     key
     */
    public Instant check() {
      return ReloadedTls.load(this).end();
    }
  }
}
