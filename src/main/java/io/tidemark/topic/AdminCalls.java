package io.tidemark.topic;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Answers of the cluster to an administrator, waited for. */
final class AdminCalls {

  private AdminCalls() {}

  /** @param what what was asked of it, for the message where it fails */
  static <T> T await(KafkaFuture<T> answer, String what) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw refused(what, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicSetupFailure("interrupted when about to " + what, e);
    }
  }

  /** Null where the answer is the one failure that is expected. */
  static <T> @Nullable T awaitUnless(KafkaFuture<T> answer, Class<? extends Exception> expected, String what) {
    try {
      return await(answer, what);
    } catch (TopicSetupFailure e) {
      if (expected.isInstance(e.getCause())) {
        return null;
      }
      throw e;
    }
  }

  private static TopicSetupFailure refused(String what, @Nullable Throwable cause) {
    var hint =
        switch (cause) {
          case AuthorizationException denied ->
              "; allow this user to create, describe and configure topics of the prefix, or make them beforehand";
          case TimeoutException late -> "; is kafka.bootstrap-servers right, and the cluster up?";
          case null, default -> "";
        };
    var reason = cause == null ? "no reason" : cause.getMessage();
    return new TopicSetupFailure("cannot %s: %s%s".formatted(what, reason, hint), cause);
  }
}
