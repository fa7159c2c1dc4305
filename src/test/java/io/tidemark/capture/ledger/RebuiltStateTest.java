package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolLock;
import io.tidemark.event.PoolLockChange;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.ResourceMemory;
import io.tidemark.eventlog.EventLogTopics;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** The fold of the changes in a good event log is its states. */
class RebuiltStateTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final Duration HALF = Retention.DEFAULT.changes().dividedBy(2);

  final EventLogTopics cluster = EventLogTopics.of(lines("good-event-log.ndjson"), TOPICS, List.of());

  @Test
  void foldOfTheChanges_isTheStateAsPublished() {
    var compared = TOPICS.resources().stream().mapToInt(this::compare).sum();

    assertThat(compared).isGreaterThan(5);
  }

  private int compare(ResourceTopics<?, ?> topics) {
    var view = ChangeView.ofResource(topics.resource());
    var folds = new HashMap<String, RebuiltState>();
    var keyFrames = new HashMap<String, Instant>();
    read(topics.changes(), (key, change) -> {
      folds.computeIfAbsent(key, any -> new RebuiltState(view, HALF)).add(change);
      if (view.origin(change).getKeyFrame()) {
        keyFrames.put(key, ChangeView.keyFrameStart(view.origin(change).getObservedAt(), HALF));
      }
    });
    assertThat(folds).allSatisfy(
        (key, fold) -> assertThat(memory(view, fold).getKeyFrame()).as(key).isEqualTo(keyFrames.get(key)));
    var states = new HashMap<String, SpecificRecord>();
    read(topics.state(), (key, state) -> {
      if (state == null) {
        states.remove(key);
      } else {
        states.put(key, state);
      }
    });
    folds.forEach((key, fold) -> assertThat(fold.isEvicted()).as(key).isEqualTo(!states.containsKey(key)));
    states.forEach((key, state) -> compare(view, key, state, folds));
    return states.size();
  }

  /** Without it, the next change of a resource would be a key frame again. */
  private static ResourceMemory memory(ChangeView view, RebuiltState fold) {
    try {
      return ResourceMemory.getDecoder().decode(view.state().memory(fold.state()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A list that causes a key frame does not show what only the pool's own operation shows. */
  @Test
  void facetThatAKeyFrameOnlyCarries_isOfTheTargetThatSetIt_orOfTheNextThatShowsIt() {
    var view = ChangeView.ofResource("pool");
    var set = change(1, "/pool", true, null);
    var carried = change(2, "/list", true, new PoolLock("95"));
    var whole = new RebuiltState(view, HALF);
    whole.add(set);
    whole.add(carried);
    var cut = new RebuiltState(view, HALF);
    cut.add(carried);

    assertThat(memory(view, whole).getTargets()).containsExactly("/pool");
    assertThat(memory(view, whole).getFacets()).singleElement().extracting(FacetMemory::getInformant).isEqualTo(0);
    assertThat(memory(view, cut).getTargets()).isEmpty();
    assertThat(memory(view, cut).getFacets()).singleElement().satisfies(lock -> {
      assertThat(lock.getInformant()).isEqualTo(-1);
      assertThat(lock.getObservedAt()).isEqualTo(Instant.EPOCH.plusSeconds(2));
    });
  }

  private static PoolChange change(int revision, String target, boolean keyFrame, PoolLock before) {
    return PoolChange.newBuilder().setId("eth_0xa").setNetwork("eth").setAddress("0xa").setGeneration(Instant.EPOCH)
        .setRevision(revision)
        .setOrigin(Origin.newBuilder().setTarget(target).setKeyFrame(keyFrame)
            .setObservedAt(Instant.EPOCH.plusSeconds(revision)).build())
        .setAbout(PoolAbout.newBuilder().build())
        .setLock(new PoolLockChange(before, new PoolLock("95"), null))
        .build();
  }

  private static void compare(
      ChangeView view, String key, SpecificRecord state, Map<String, RebuiltState> folds) {
    var fold = folds.get(key);
    assertThat(fold.isAfter(state)).as(key).isFalse();
    assertThat(fold.isAfter(null)).isTrue();
    var rebuilt = fold.state();
    assertThat(view.state().generation(rebuilt)).as(key).isEqualTo(view.state().generation(state));
    assertThat(view.state().revision(rebuilt)).as(key).isEqualTo(view.state().revision(state));
    assertThat(view.identityOf(view.state().known(rebuilt))).as(key)
        .isEqualTo(view.identityOf(view.state().known(state)));
    assertThat(List.of("visible", "removed")).as(key).allSatisfy(
        field -> assertThat(AvroRecords.at(rebuilt, field)).isEqualTo(AvroRecords.at(state, field)));
    for (var facet : view.facets()) {
      assertThat(plain(view.state().published(rebuilt, facet))).as("%s of %s", facet.name(), key)
          .isEqualTo(plain(view.state().published(state, facet)));
    }
  }

  /** The revisions of a ranking's members are outside the laws. */
  private static Object plain(Object value) {
    return value instanceof RankingOrder order ? order.getEntries() : value;
  }

  private void read(Topic<?> topic, BiConsumer<String, SpecificRecord> visitor) {
    for (var partition = 0; partition < cluster.partitions(topic.name()); partition++) {
      cluster.read(cluster.range(topic, partition), record -> visitor.accept(record.keyText(), record.value()));
    }
  }

  private static List<String> lines(String file) {
    try (var in = EventLogTopics.class.getResourceAsStream(file)) {
      return Stream.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1))
          .filter(line -> !line.isBlank()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
