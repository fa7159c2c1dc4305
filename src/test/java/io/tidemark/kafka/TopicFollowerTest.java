package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.kafka.registry.BuiltInRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TopicFollowerTest {
  private static final Map<String, Object> NOWHERE = Map.of("bootstrap.servers", "127.0.0.1:1");
  private static final Duration LONG = Duration.ofHours(1);

  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicInteger begun = new AtomicInteger();

  @Test
  void readingThatFails_beginsAgain_withANewReader() {
    var readers = new CopyOnWriteArrayList<TopicReader>();
    var going = new CountDownLatch(1);
    var follower = new TopicFollower("test of follower", TopicFollowerTest::reader, reader -> {
      readers.add(reader);
      switch (begun.getAndIncrement()) {
        case 0 -> throw new TimeoutException("Kafka is away");
        case 1 -> throw new StackOverflowError("too deep");
        default -> going.countDown();
      }
    }, e -> failures.add(e.getMessage()), Duration.ZERO);
    try (follower) {
      follower.start();

      await().until(() -> going.getCount() == 0);
    }
    assertThat(failures).containsExactly("Kafka is away", "too deep");
    assertThat(readers.subList(0, 3)).doesNotHaveDuplicates();
    assertThat(follower.isOpen()).isFalse();
  }

  @Test
  void close_endsThePause() throws Exception {
    var follower = new TopicFollower("test of follower", TopicFollowerTest::reader, reader -> {
      throw new TimeoutException("Kafka is away");
    }, e -> failures.add(e.getMessage()), LONG);
    follower.start();
    await().until(() -> !failures.isEmpty());
    var thread = Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().equals("test-of-follower")).findFirst().orElseThrow();

    follower.close();

    assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    assertThat(failures).hasSize(1);
  }

  private static TopicReader reader() {
    return new TopicReader(NOWHERE, List.of(), new BuiltInRegistry(List.of()));
  }
}
