package io.tidemark.kafka;

import io.tidemark.event.SafeText;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that reads committed records into memory until this follower is closed. After a failure the thread pauses,
 * then reads again with a new reader. If reading ends without a failure before this follower is closed, the thread
 * reads again at once.
 */
public final class TopicFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
  private static final int LONGEST_MESSAGE = 200;

  private final String name;
  private final Supplier<TopicReader> readers;
  private final Consumer<TopicReader> reading;
  private final Consumer<Throwable> onFailure;
  private final Duration pause;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable TopicReader reader;

  /**
   * Creates a follower that reads nothing before {@link #start}.
   *
   * @param name name of the data that is read, for the log and the thread, such as {@code mirror of main}
   * @param reading action that reads from the beginning with a new reader, and returns when {@link #isOpen} is false
   * @param onFailure called in the reading thread with each failure, before the pause; not called after this follower
   *     is closed
   */
  public TopicFollower(
      String name, Supplier<TopicReader> readers, Consumer<TopicReader> reading, Consumer<Throwable> onFailure) {
    this(name, readers, reading, onFailure, PAUSE);
  }

  TopicFollower(String name, Supplier<TopicReader> readers, Consumer<TopicReader> reading,
      Consumer<Throwable> onFailure, Duration pause) {
    this.name = name;
    this.pause = pause;
    this.readers = readers;
    this.reading = reading;
    this.onFailure = onFailure;
    this.thread = new Thread(this::run, name.replace(' ', '-').toLowerCase(Locale.ROOT));
    this.thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** Returns whether reading should go on, which is true until this follower is closed. */
  public boolean isOpen() {
    return closing.getCount() > 0;
  }

  @Override
  public void close() {
    closing.countDown();
    var current = reader;
    if (current != null) {
      current.close(); // the reader may be waiting for records that never come
    }
    try {
      thread.join(CLOSE_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (isOpen()) {
      try (var opened = readers.get()) {
        reader = opened;
        if (isOpen()) {
          reading.accept(opened);
        }
      } catch (RuntimeException | Error e) { // the thread must survive, since nothing would start another thread
        if (isOpen()) {
          onFailure.accept(e);
          log(e);
          awaitPause();
        }
      }
    }
  }

  private void log(Throwable e) {
    var message = SafeText.singleLine(String.valueOf(e.getMessage()), LONGEST_MESSAGE);
    if (e instanceof KafkaException) {
      LOG.warn("{}: reading failed ({}); records read so far stay available, reading restarts in {} s", name, message,
          pause.toSeconds());
    } else {
      LOG.warn("{}: reading failed; records read so far stay available, reading restarts in {} s", name,
          pause.toSeconds(), e);
    }
  }

  private void awaitPause() {
    try {
      if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("{}: closed while waiting to read again", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
