package io.tidemark.audit;

import io.tidemark.event.SourceState;
import io.tidemark.event.StateTopic;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import java.util.HashMap;
import java.util.Map;

/**
 * A checker that the topics with states are the same topics that the source recorded in {@code source.state}, and that
 * they still have all records that the source committed to them. A session that continues without some of these records
 * publishes known resources as new.
 */
record StateTopicsChecker(Topics topics, CheckedReader reader, AuditReport report) {

  void check() {
    var newest = new HashMap<String, CommittedRecord>();
    reader.ranges(topics.sourceState()).forEach(range -> reader.readLedgerTopic(range, record -> {
      var before = newest.put(record.keyText(), record);
      if (before != null) {
        checkContinued(before, record);
      }
    }));
    newest.values().forEach(record -> stateTopics(record).values().forEach(topic -> checkReadable(record, topic)));
  }

  /**
   * Checks that the recorded end offsets of a topic never decrease while its id stays the same. They would decrease
   * if a session had not read everything that the previous session had committed. Skips a record with the status
   * stopped: a session has recorded its topics before, and a rebuild of lost states records what is left of them.
   */
  private void checkContinued(CommittedRecord before, CommittedRecord record) {
    if (record.value() instanceof SourceState state && state.getStatus().equals("stopped")) {
      return;
    }
    var last = stateTopics(before);
    for (var topic : stateTopics(record).values()) {
      var known = last.get(topic.getTopic());
      if (known != null && known.getId().equals(topic.getId())) {
        for (var partition = 0; partition < known.getEnds().size(); partition++) {
          var end = partition < topic.getEnds().size() ? topic.getEnds().get(partition) : -1;
          checkEnd(record, topic, partition, known.getEnds().get(partition), end);
        }
      }
    }
  }

  /**
   * Compares the id and the offsets that the source last recorded for a topic with the present ones. Skips a topic that
   * only a later version of Tidemark knows.
   */
  private void checkReadable(CommittedRecord record, StateTopic recorded) {
    var topic = topics.all().stream()
        .filter(each -> topics.shortName(each).equals(recorded.getTopic())).findFirst().orElse(null);
    if (topic == null) {
      return;
    }
    var id = reader.topicId(topic.name());
    if (!recorded.getId().equals(id)) {
      report.add(ConsistencyLaw.STATE_TOPICS, record.position(), "id of " + recorded.getTopic(), recorded.getId(), id);
      return;
    }
    for (var partition = 0; partition < recorded.getEnds().size(); partition++) {
      checkPartition(record, recorded, topic, partition);
    }
  }

  private void checkPartition(CommittedRecord record, StateTopic recorded, Topic<?> topic, int partition) {
    var range = reader.range(topic, partition);
    checkEnd(record, recorded, partition, recorded.getEnds().get(partition), range.end());
    var begin = recorded.getBegins().get(partition);
    if (range.begin() > begin) {
      report.add(ConsistencyLaw.STATE_TOPICS, record.position(),
          "begin of %s, partition %d".formatted(recorded.getTopic(), partition), "at most " + begin, range.begin());
    }
  }

  private void checkEnd(CommittedRecord record, StateTopic topic, int partition, long recorded, long found) {
    if (found < recorded) {
      report.add(ConsistencyLaw.STATE_TOPICS, record.position(),
          "end of %s, partition %d".formatted(topic.getTopic(), partition), "at least " + recorded, found);
    }
  }

  private static Map<String, StateTopic> stateTopics(CommittedRecord record) {
    var topics = new HashMap<String, StateTopic>();
    if (record.value() instanceof SourceState state) {
      state.getStateTopics().forEach(each -> topics.put(each.getTopic(), each));
    }
    return topics;
  }
}
