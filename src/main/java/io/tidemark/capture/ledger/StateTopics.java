package io.tidemark.capture.ledger;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.SourceState;
import io.tidemark.event.StateTopic;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicOffsets;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics from which a source is restored, as they were in Kafka when {@link #read} was called: the ids of the
 * topics, and the begin and end offsets of their partitions. The end offsets include open transactions.
 *
 * @param topics the topics that exist, by name without prefix
 */
public record StateTopics(Topics all, Map<String, StateTopic> topics) {

  private static final Logger LOG = LoggerFactory.getLogger(StateTopics.class);

  public StateTopics {
    topics = Map.copyOf(topics);
  }

  /**
   * A topic that differs from what the last owner left.
   *
   * @param topic full name of the topic
   * @param problem what is wrong with the topic, as the words that follow the topic's name in a sentence
   */
  public record LostTopic(String topic, String problem) {

    @Override
    public String toString() {
      return "topic %s %s".formatted(topic, problem);
    }
  }

  /** Returns the topics that a session restores, including the topic of commands. */
  public static List<Topic<?>> of(Topics topics) {
    var states = topics.resources().stream().<Topic<?>>map(ResourceTopics::state);
    var own = Stream.<Topic<?>>of(topics.targetState(), topics.targetMembers(), topics.sourceState(), topics.watch());
    return Stream.concat(states, own).toList();
  }

  /**
   * Returns the topics of a source that differ from what the last owner left, or all topics if the newest record of
   * {@code source.state} cannot be read, since each may then differ. These topics must not be created again silently,
   * since an empty topic would pass for a fresh start. Blocks.
   *
   * @throws SchemaRegistryFailure.RegistryUnreachable if the registry does not answer
   */
  public static List<LostTopic> lost(LedgerSettings settings, SchemaRegistry registry) {
    var topic = settings.topics().sourceState();
    try (var admin = Admin.create(settings.kafka());
        var reader = new TopicReader(settings.kafka(), List.of(topic), registry)) {
      // Look for other records before the state is read: an owner that starts for the first time may be writing.
      var lostSourceState = read(admin, settings.topics()).lostSourceState(admin);
      var newest = new AtomicReference<SourceState>();
      reader.readAll(record -> newest.set(record.value() instanceof SourceState state ? state : newest.get()));
      // Read the end offsets after the state: an owner may be writing, and an end offset that was read before the
      // state could be lower than the one in the state, as if records were lost.
      var now = read(admin, settings.topics());
      return newest.get() == null ? lostSourceState : now.lost(newest.get().getStateTopics());
    } catch (SchemaRegistryFailure.RegistryUnreachable e) {
      throw e;
    } catch (SchemaRegistryFailure e) {
      return mayBeLost(settings, e);
    }
  }

  /** Returns all topics of a source as lost, because the failure hides which topics differ, and logs the failure. */
  public static List<LostTopic> mayBeLost(LedgerSettings settings, RuntimeException failure) {
    LOG.warn(
        "source {}: it is unknown which topics of states are lost, so missing ones are not created. Cause: {}",
        settings.source(), failure.getMessage());
    return of(settings.topics()).stream().map(each -> new LostTopic(each.name(), "may be lost")).toList();
  }

  /** Reads the topics that exist. Blocks. */
  public static StateTopics read(Admin admin, Topics topics) {
    var described = admin.describeTopics(of(topics).stream().<String>map(Topic::name).toList()).topicNameValues();
    var found = new HashMap<Topic<?>, StateTopic>();
    var partitions = new ArrayList<TopicPartition>();
    for (var topic : of(topics)) {
      var description = AdminCalls.awaitUnless(
          UnknownTopicOrPartitionException.class, requireNonNull(described.get(topic.name())));
      if (description != null) {
        found.put(topic, StateTopic.newBuilder()
            .setTopic(topics.shortName(topic)).setId(description.topicId().toString()).build());
        description.partitions().forEach(each -> partitions.add(new TopicPartition(topic.name(), each.partition())));
      }
    }
    var offsets = new TopicOffsets(admin);
    var begins = offsets.earliest(partitions);
    var ends = offsets.written(partitions);
    var all = new HashMap<String, StateTopic>();
    found.forEach((topic, state) -> {
      state.setBegins(inOrder(topic, begins));
      state.setEnds(inOrder(topic, ends));
      all.put(state.getTopic(), state);
    });
    return new StateTopics(topics, all);
  }

  private static List<Long> inOrder(Topic<?> topic, Map<TopicPartition, Long> offsets) {
    var count = (int) offsets.keySet().stream().filter(each -> each.topic().equals(topic.name())).count();
    return IntStream.range(0, count)
        .mapToObj(each -> requireNonNull(offsets.get(new TopicPartition(topic.name(), each))))
        .toList();
  }

  /** Returns the topics that do not exist. */
  public List<LostTopic> missing() {
    return of(all).stream()
        .filter(topic -> !topics.containsKey(all.shortName(topic)))
        .map(topic -> new LostTopic(topic.name(), "no longer exists"))
        .toList();
  }

  /**
   * Returns those recorded topics that are missing, were created again, have another number of partitions, or no
   * longer hold all offsets that they held when they were recorded. Nothing is recorded before a source's first
   * session. Topics that only a later version of the program knows are ignored, since this version does not read
   * them.
   */
  public List<LostTopic> lost(List<StateTopic> recorded) {
    return recorded.stream().filter(topic -> isKnown(all, topic)).flatMap(this::lost).toList();
  }

  private static boolean isKnown(Topics all, StateTopic recorded) {
    return of(all).stream().anyMatch(topic -> all.shortName(topic).equals(recorded.getTopic()));
  }

  /**
   * Returns {@code source.state} as lost if topics of states have records, or if the topic {@code control}, which only
   * the ledger writes, ever had any. Returns an empty list before the first session, because this session writes
   * {@code source.state} before it writes other topics. Call this method before {@code source.state} is read, and use
   * the result only if {@code source.state} has no record of the source. Blocks.
   */
  List<LostTopic> lostSourceState(Admin admin) {
    var before = Set.of(all.shortName(all.watch()), all.shortName(all.sourceState()));
    var written = topics.values().stream()
        .filter(topic -> !before.contains(topic.getTopic()) && hasRecords(topic))
        .map(topic -> all.prefix() + topic.getTopic());
    var control = all.control().name();
    var offsets = new TopicOffsets(admin);
    var ticks = offsets.written(offsets.partitions(List.of(control))).values().stream().filter(end -> end > 0)
        .map(end -> control);
    return Stream.concat(written.sorted(), ticks)
        .findFirst()
        .map(topic -> new LostTopic(all.sourceState().name(),
            "has no record of the source, although the source has written to %s: it was emptied, or deleted and created"
                .formatted(topic) + " again"))
        .stream().toList();
  }

  private static boolean hasRecords(StateTopic topic) {
    return IntStream.range(0, topic.getEnds().size())
        .anyMatch(each -> topic.getEnds().get(each) > topic.getBegins().get(each));
  }

  private Stream<LostTopic> lost(StateTopic recorded) {
    var name = all.prefix() + recorded.getTopic();
    var now = topics.get(recorded.getTopic());
    if (now == null) {
      return Stream.of(new LostTopic(name, "no longer exists"));
    }
    if (now.getEnds().size() != recorded.getEnds().size()) {
      return Stream.of(new LostTopic(name, "has %d partitions; the source left it with %d"
          .formatted(now.getEnds().size(), recorded.getEnds().size())));
    }
    if (!now.getId().equals(recorded.getId())) {
      return Stream.of(new LostTopic(name, "was deleted and created again: its id is %s; it was %s when recorded"
          .formatted(now.getId(), recorded.getId())));
    }
    return IntStream.range(0, now.getEnds().size())
        .filter(each -> now.getEnds().get(each) < recorded.getEnds().get(each)
            || now.getBegins().get(each) > recorded.getBegins().get(each))
        .limit(1)
        .mapToObj(each -> new LostTopic(name,
            "lost records: its partition %d has offsets %d to %d; the source left it with offsets %d to %d".formatted(
                each, now.getBegins().get(each), now.getEnds().get(each), recorded.getBegins().get(each),
                recorded.getEnds().get(each))));
  }

  /** Returns the end offset of each partition, after all its records, including the records of open transactions. */
  Map<TopicPartition, Long> ends() {
    var ends = new HashMap<TopicPartition, Long>();
    topics.values().forEach(topic -> IntStream.range(0, topic.getEnds().size()).forEach(each -> ends.put(
        new TopicPartition(all.prefix() + topic.getTopic(), each), topic.getEnds().get(each))));
    return ends;
  }

  /**
   * Returns the topics as {@code source.state} records them, in a fixed order. None may be missing.
   *
   * @param before topics as they were recorded last. Topics that only a later version of the program knows stay
   *     recorded as that version left them, so that it can verify them when it runs again
   */
  List<StateTopic> record(List<StateTopic> before) {
    var known = of(all).stream().map(topic -> requireNonNull(topics.get(all.shortName(topic))));
    return Stream.concat(known, before.stream().filter(topic -> !isKnown(all, topic))).toList();
  }
}
