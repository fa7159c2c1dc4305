package io.tidemark.app;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.tidemark.app.config.RegistrySettings;
import io.tidemark.event.Secret;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;

/** Creates the client of the configured schema registry. */
public final class Registries {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private Registries() {}

  /** Returns the configured registry. The built-in registry serves the schemas of the given topics. */
  public static SchemaRegistry of(RegistrySettings settings, List<Topic<?>> topics) {
    if (settings.url() == null) {
      return new BuiltInRegistry(topics);
    }
    var login = settings.user() == null || settings.password() == null
        ? null
        : new Secret(settings.user() + ":" + settings.password().value());
    var client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
    if (settings.caFile() != null) {
      client.sslContext(trusting(settings.caFile()));
    }
    return new ConfluentRegistry(settings.url(), login, client.build());
  }

  private static SSLContext trusting(Path caFile) {
    try (var certificates = Files.newInputStream(caFile)) {
      var context = SslContextBuilder.forClient().sslProvider(SslProvider.JDK).trustManager(certificates).build();
      return ((JdkSslContext) context).context();
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "registry.ca-file: cannot read PEM certificates from " + caFile + " ("
              + Objects.requireNonNullElse(e.getCause(), e) + ")");
    }
  }
}
