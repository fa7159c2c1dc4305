package io.tidemark.stream;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.Alert;
import io.tidemark.event.GroupUpdate;
import io.tidemark.rule.Rule;
import io.tidemark.stream.TidemarkTopology.TaskParts;
import io.tidemark.stream.aggregate.Groups;
import io.tidemark.stream.alert.TopicRules;
import io.tidemark.stream.tick.TaskOutput;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The second processor of the topology, which reads one partition of the repartition topic. It derives the aggregate of
 * each group, and the alerts of the rules on aggregates and of the rules on alerts. Rules receive a control record
 * after the aggregates and alerts that the control record covers.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class GroupProcessor implements Processor<String, TopicRecord, String, TopicRecord> {

  private final TaskParts parts;
  private final Map<String, TopicRules> rules = new LinkedHashMap<>();
  private Groups groups;
  private TaskResults results;

  GroupProcessor(TaskParts parts) {
    this.parts = parts;
  }

  @Override
  public void init(ProcessorContext<String, TopicRecord> context) {
    parts.storesByGroup().check(context);
    results = new TaskResults(context, TaskResults.OF_GROUPS);
    groups = new Groups(TidemarkTopology.AGGREGATIONS, parts.stores, context, this::onAggregate);
    parts.aggregates().forEach(topic -> rules.put(topic, parts.aggregateRules(topic, context, this::onResult)));
    rules.put(Rule.ALERTS, parts.aggregateRules(Rule.ALERTS, context, results));
  }

  @Override
  public void process(Record<String, TopicRecord> record) {
    groups.process(record.withValue((GroupUpdate) requireNonNull(record.value().value())));
  }

  private void onAggregate(String topic, Record<String, SpecificRecord> record) {
    if (topic.equals(TaskOutput.CONTROL)) {
      rules.values().forEach(each -> each.process(record));
    } else if (topic.equals(TaskOutput.GROUPED_ALERTS)) {
      requireNonNull(rules.get(Rule.ALERTS)).process(record);
    } else {
      if (record.value() != null || !groups.outlivesMembers(topic)) {
        results.forward(topic, record);
      }
      requireNonNull(rules.get(topic), topic).process(record);
    }
  }

  private void onResult(String topic, Record<String, SpecificRecord> record) {
    if (!topic.equals(TaskOutput.GROUPED_ALERTS)) {
      results.forward(topic, record);
    } else if (record.value() instanceof Alert alert && record.key().equals(alert.getSubject())) {
      groups.hold(record.withValue(alert));
    }
  }
}
