package io.tidemark.stream.alert;

import io.tidemark.event.AttributeSeries;
import io.tidemark.event.AttributeSeriesSet;
import io.tidemark.event.GapFreeClockState;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.topic.SchemaRegistry;
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
final class FoldedResources {

  private static final String WATCH = "watch";

  private final Vocabulary vocabulary;
  private final ChangeFold fold;
  private final StoreSection<SpecificRecord> known;
  private final StoreSection<AttributeSeriesSet> courses;
  private final StoreSection<GapFreeClockState> watch;

  @SuppressWarnings("unchecked") // a topic's records are all of one class
  FoldedResources(KeyValueStore<String, byte[]> store, String topic, Class<? extends SpecificRecord> type,
      SchemaRegistry registry) {
    var schema = SpecificData.get().getSchema(type);
    this.vocabulary = Vocabulary.of(schema);
    this.fold = ChangeFold.of(schema);
    this.known =
        new StoreSection<>(store, "known" + StoreSection.SEPARATOR + topic, (Class<SpecificRecord>) type, registry);
    this.courses =
        new StoreSection<>(store, "courses" + StoreSection.SEPARATOR + topic, AttributeSeriesSet.class, registry);
    this.watch = new StoreSection<>(store, "watch" + StoreSection.SEPARATOR + topic, GapFreeClockState.class, registry);
  }

  Vocabulary vocabulary() {
    return vocabulary;
  }

  GapFreeClock watch() {
    return new GapFreeClock(
        Objects.requireNonNullElseGet(watch.get(WATCH), () -> GapFreeClockState.newBuilder().build()));
  }

  void keep(GapFreeClock stopwatch) {
    watch.put(WATCH, stopwatch.state());
  }

  /**
   * Remembers a record, and gives what rules are to be asked about.
   *
   * @param history the attributes whose past is kept, and for how long
   */
  RuleInput remember(String key, SpecificRecord record, Instant at, Map<String, Duration> history) {
    var before = fold.hasFacets() ? known.get(key) : null;
    var whole = fold.whole(record, before);
    if (fold.hasFacets()) {
      known.put(key, fold.known(record, before));
    }
    if (history.isEmpty()) {
      courses.deleteIfPresent(key);
      return new RuleInput(key, whole, new RecordedHistory(at, null), at);
    }
    return new RuleInput(key, whole, new RecordedHistory(at, record(key, record, whole, at, history)), at);
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
        known.deleteIfPresent(key);
      }
    }
  }

  /** Nothing is under way of a resource any more. */
  void release(String key) {
    if (!fold.hasFacets()) {
      known.deleteIfPresent(key);
    }
  }

  /** What rules are to be asked about when there is no record; null where nothing is known of the resource. */
  @Nullable
  RuleInput current(String key, Instant at) {
    var record = known.get(key);
    return record == null
        ? null
        : new RuleInput(key, fold.trusted(record), new RecordedHistory(at, courses.get(key)), at);
  }

  void remove(String key) {
    known.delete(key);
    courses.delete(key);
  }

  private AttributeSeriesSet record(
      String key, SpecificRecord record, SpecificRecord whole, Instant at, Map<String, Duration> history) {
    var kept = courses.get(key);
    var next = new AttributeSeriesSet(new ArrayList<>());
    history.forEach((path, length) -> {
      var course = course(kept == null ? null : RecordedHistory.find(kept, path), path, length, record, whole, at);
      if (course != null) {
        next.getSeries().add(course);
      }
    });
    courses.put(key, next);
    return next;
  }

  private @Nullable AttributeSeries course(
      @Nullable AttributeSeries course, String path, Duration length, SpecificRecord record, SpecificRecord whole,
      Instant at) {
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
