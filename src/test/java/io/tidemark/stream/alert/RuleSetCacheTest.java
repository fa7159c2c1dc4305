package io.tidemark.stream.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Control;
import io.tidemark.rule.RuleSet;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RuleSetCacheTest {

  private static final Control RULES = new Control("rules", Instant.EPOCH, 1L, "rules: []", 1);

  private final Queue<Thread> compilers = new ConcurrentLinkedQueue<>();

  @Test
  void announcedRules_areCompiledOnceByAnotherThread() {
    var cache = new RuleSetCache(text -> {
      compilers.add(Thread.currentThread());
      return RuleSet.EMPTY;
    }, null);

    cache.announce(RULES);
    cache.announce(Control.newBuilder(RULES).setAt(Instant.EPOCH.plusSeconds(1)).build());

    assertThat(cache.rules(RULES)).isSameAs(RuleSet.EMPTY);
    assertThat(compilers).singleElement().isNotSameAs(Thread.currentThread());
  }

  @Test
  void announcement_doesNotWaitForTheCompiler() {
    var isAnnounced = new CountDownLatch(1);
    var cache = new RuleSetCache(text -> {
      await(isAnnounced);
      return RuleSet.EMPTY;
    }, null);

    var announcement = CompletableFuture.runAsync(() -> cache.announce(RULES));

    assertThat(announcement).succeedsWithin(60, TimeUnit.SECONDS);
    isAnnounced.countDown();

    assertThat(cache.rules(RULES)).isSameAs(RuleSet.EMPTY);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
