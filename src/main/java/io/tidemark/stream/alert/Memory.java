package io.tidemark.stream.alert;

import io.tidemark.event.Course;
import io.tidemark.event.Courses;
import io.tidemark.event.TapeWatch;
import io.tidemark.rule.Vocabulary;
import io.tidemark.topic.Registry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** What is remembered of the resources of one topic: all that is known of each, and the past of some attributes. */
final class Memory {

  private static final String WATCH = "watch";

  private final Vocabulary vocabulary;
  private final Fold fold;
  private final Shelf<SpecificRecord> known;
  private final Shelf<Courses> courses;
  private final Shelf<TapeWatch> watch;

  @SuppressWarnings("unchecked") // a topic's records are all of one class
  Memory(KeyValueStore<String, byte[]> store, String topic, Class<? extends SpecificRecord> type, Registry registry) {
    var schema = SpecificData.get().getSchema(type);
    this.vocabulary = Vocabulary.of(schema);
    this.fold = Fold.of(schema);
    this.known = new Shelf<>(store, "known" + Shelf.MARK + topic, (Class<SpecificRecord>) type, registry);
    this.courses = new Shelf<>(store, "courses" + Shelf.MARK + topic, Courses.class, registry);
    this.watch = new Shelf<>(store, "watch" + Shelf.MARK + topic, TapeWatch.class, registry);
  }

  Vocabulary vocabulary() {
    return vocabulary;
  }

  Stopwatch watch() {
    return new Stopwatch(Objects.requireNonNullElseGet(watch.get(WATCH), () -> TapeWatch.newBuilder().build()));
  }

  void keep(Stopwatch stopwatch) {
    watch.put(WATCH, stopwatch.read());
  }

  /**
   * Remembers a record, and gives what rules are to be asked about.
   *
   * @param history the attributes whose past is kept, and for how long
   */
  Asked remember(String key, SpecificRecord record, Instant at, Map<String, Duration> history) {
    var before = fold.hasFacets() ? known.get(key) : null;
    var whole = fold.whole(record, before);
    if (fold.hasFacets()) {
      known.put(key, fold.known(record, before));
    }
    if (history.isEmpty()) {
      courses.clear(key);
      return new Asked(key, whole, new Remembered(at, null), at);
    }
    return new Asked(key, whole, new Remembered(at, record(key, record, whole, at, history)), at);
  }

  /**
   * Keeps a record that is whole as it is only for as long as some rule may be asked about it again: nobody says of
   * such resources that they are gone.
   *
   * @param isUnderWay whether something is under way of its resource
   */
  void keep(String key, SpecificRecord record, boolean isUnderWay) {
    if (!fold.hasFacets()) {
      if (isUnderWay) {
        known.put(key, record);
      } else {
        known.clear(key);
      }
    }
  }

  /** Nothing is under way of a resource any more. */
  void release(String key) {
    if (!fold.hasFacets()) {
      known.clear(key);
    }
  }

  /** What rules are to be asked about when there is no record; null where nothing is known of the resource. */
  @Nullable
  Asked recall(String key, Instant at) {
    var record = known.get(key);
    return record == null
        ? null
        : new Asked(key, fold.trusted(record), new Remembered(at, courses.get(key)), at);
  }

  void forget(String key) {
    known.delete(key);
    courses.delete(key);
  }

  private Courses record(
      String key, SpecificRecord record, SpecificRecord whole, Instant at, Map<String, Duration> history) {
    var kept = courses.get(key);
    var next = new Courses(new ArrayList<>());
    history.forEach((path, length) -> {
      var course = course(kept == null ? null : Remembered.find(kept, path), path, length, record, whole, at);
      if (course != null) {
        next.getCourses().add(course);
      }
    });
    courses.put(key, next);
    return next;
  }

  private @Nullable Course course(
      @Nullable Course course, String path, Duration length, SpecificRecord record, SpecificRecord whole, Instant at) {
    var value = vocabulary.value(path, course == null ? whole : record);
    if (!(value instanceof Number number)) {
      return course;
    }
    if (course == null) {
      return Recording.begin(path, at, number.doubleValue());
    }
    if (!fold.hasFacets() || number.doubleValue() != Recording.newest(course)) {
      Recording.add(course, at, number.doubleValue(), fold.looked(path, record), length);
    }
    return course;
  }
}
