package io.tidemark.kafka;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Methods that wait for the answers of a Kafka admin client. */
public final class AdminCalls {
  private AdminCalls() {}

  /**
   * Waits for an answer and returns it.
   *
   * @throws KafkaException if the request fails, or, as an {@link InterruptException}, if the thread is interrupted
   */
  public static <T> T await(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException failure ? failure : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Waits for an answer and returns it, or returns null if the request fails with an exception of the class
   * {@code expected}. Other failures are thrown as by {@link #await}.
   */
  public static <T> @Nullable T awaitUnless(Class<? extends KafkaException> expected, KafkaFuture<T> answer) {
    try {
      return await(answer);
    } catch (KafkaException e) {
      if (expected.isInstance(e)) {
        return null;
      }
      throw e;
    }
  }

  /** Sleeps for the given time. An interrupt becomes Kafka's {@link InterruptException}. */
  public static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static InterruptException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new InterruptException("interrupted while waiting for Kafka", cause);
  }
}
