package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the exit codes of failures. */
class CommandFailureTest {

  static List<Exception> timeouts() {
    var timeout = new TimeoutException("no node answers");
    return List.of(timeout, new KafkaException(timeout), new ExecutionException(timeout));
  }

  @ParameterizedTest
  @MethodSource("timeouts")
  void timeoutOfKafka_isNotReachable(Exception timeout) {
    assertThat(CommandFailure.exitCodeOf(timeout)).isEqualTo(CommandFailure.NOT_REACHABLE);
  }

  @Test
  void failureThatKafkaAnswers_isAProblem() {
    assertThat(CommandFailure.exitCodeOf(new TopicAuthorizationException("denied")))
        .isEqualTo(CommandFailure.PROBLEM_FOUND);
  }
}
