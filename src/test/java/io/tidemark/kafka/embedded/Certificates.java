package io.tidemark.kafka.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate for 127.0.0.1 that nobody vouches for but itself.
 *
 * @param keyStore with its key, for servers (PKCS12)
 * @param ca the certificate itself, for those who are to trust it (PEM)
 */
public record Certificates(Path keyStore, Path ca) {

  public static final String PASSWORD = "keystore-secret";

  /** Made in a folder by the JDK's own tool. */
  public static Certificates in(Path folder) {
    var made = new Certificates(folder.resolve("server.p12"), folder.resolve("ca.pem"));
    keytool(made, "-genkeypair", "-alias", "server", "-keyalg", "EC", "-groupname", "secp256r1", "-validity", "3650",
        "-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1,dns:localhost");
    keytool(made, "-exportcert", "-alias", "server", "-rfc", "-file", made.ca().toString());
    return made;
  }

  private static void keytool(Certificates made, String... arguments) {
    var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", made.keyStore().toString(), "-storepass", PASSWORD));
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
