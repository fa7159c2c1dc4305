package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.source.OwnerState.GivenUp;
import io.tidemark.capture.source.Sources.ConfiguredSource;
import io.tidemark.kafka.TransactionProtocol;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class SourceRunnerTest {

  /** As with a temporary folder that is mounted noexec: the source was restoring for ever. */
  @Test
  void errorOfTheJvmWhileASessionStarts_givesTheSourceUp() {
    var calls = Collections.synchronizedList(new ArrayList<String>());
    var listener = proxy(SourceListener.class, (proxy, method, args) -> {
      calls.add(method.getName());
      return null;
    });
    var cluster = new TransactionProtocol(proxy(Admin.class, (proxy, method, args) -> {
      throw new UnsatisfiedLinkError("failed to map segment");
    }), "broker:9092", 0);
    var settings = new SourceSettings("main", "", null, null, false, null, null, null, null);
    var failure = new CompletableFuture<Throwable>();
    try (var runner = new SourceRunner(
        new ConfiguredSource(settings, null, cluster, null, listener), new BuiltInRegistry(List.of()),
        failure::complete)) {
      runner.onAssigned(new Lease(System::nanoTime, Duration.ofMinutes(1), System.nanoTime()));

      assertThat(failure).succeedsWithin(Duration.ofSeconds(30));
      assertThat(runner.state()).isInstanceOf(GivenUp.class);
      assertThat(runner.state().message()).isEqualTo("java.lang.UnsatisfiedLinkError: failed to map segment");
      assertThat(calls).containsExactly("sessionFailed", "pollingStopped");
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
