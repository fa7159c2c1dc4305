package io.tidemark.topic;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Answers of the cluster to an administrator, waited for. */
final class Awaited {

  private Awaited() {}

  /** @param what what was asked of it, for the message where it fails */
  static <T> T of(KafkaFuture<T> answer, String what) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw refused(what, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicsRefused("interrupted when about to " + what, e);
    }
  }

  /** Null where the answer is the one failure that is expected. */
  static <T> @Nullable T or(KafkaFuture<T> answer, Class<? extends Exception> expected, String what) {
    try {
      return of(answer, what);
    } catch (TopicsRefused e) {
      if (expected.isInstance(e.getCause())) {
        return null;
      }
      throw e;
    }
  }

  private static TopicsRefused refused(String what, @Nullable Throwable cause) {
    var hint =
        switch (cause) {
          case AuthorizationException denied ->
              "; allow this user to create, describe and configure topics of the prefix, or make them beforehand";
          case TimeoutException late -> "; is kafka.bootstrap-servers right, and the cluster up?";
          case null, default -> "";
        };
    var reason = cause == null ? "no reason" : cause.getMessage();
    return new TopicsRefused("cannot %s: %s%s".formatted(what, reason, hint), cause);
  }
}
