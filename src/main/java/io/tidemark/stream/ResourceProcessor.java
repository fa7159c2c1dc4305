package io.tidemark.stream;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.event.PoolChange;
import io.tidemark.stream.TidemarkTopology.TaskParts;
import io.tidemark.stream.aggregate.Members;
import io.tidemark.stream.alert.TopicRules;
import io.tidemark.stream.candle.Candles;
import io.tidemark.stream.tick.ResourceStore;
import io.tidemark.stream.tick.TaskOutput;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A processor that derives all results from the records of one partition, resource by resource: candles, the figures
 * that aggregates need, and alerts. Rules on candles receive a control record after the candles that the control
 * record covers.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class ResourceProcessor implements Processor<String, SpecificRecord, String, TopicRecord> {

  private static final String LISTINGS = "pool.listing";

  private final TaskParts parts;
  private final Map<String, TopicRules> rules = new LinkedHashMap<>();
  private final Map<String, TopicRules> candleRules = new LinkedHashMap<>();
  private ResourceStore resources;
  private Candles candles;
  private Members members;
  private ProcessorContext<String, TopicRecord> context;
  private TaskResults results;

  ResourceProcessor(TaskParts parts) {
    this.parts = parts;
  }

  @Override
  public void init(ProcessorContext<String, TopicRecord> context) {
    this.context = context;
    parts.storesByResource().check(context);
    results = new TaskResults(context, TaskResults.OF_RESOURCES);
    resources = new ResourceStore(context);
    candles = new Candles(parts.stores, resources, context, this::onCandle);
    members = new Members(TidemarkTopology.AGGREGATIONS, resources, parts.stores, context, this::send);
    parts.inputs().forEach(topic -> rules.put(topic, parts.rules(topic, resources, context, this::onResult)));
    parts.candles().forEach(topic -> candleRules.put(topic, parts.rules(topic, resources, context, this::onResult)));
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    if (record.value() instanceof Control) {
      each(
          () -> candles.process(record),
          () -> members.process(record),
          () -> rules.values().forEach(each -> each.process(record)),
          resources::save);
    } else {
      var topic = parts.shortName(context.recordMetadata().orElseThrow().topic());
      each(
          () -> {
            if (parts.isPriced(topic)) {
              candles.process(record);
            }
          },
          () -> {
            if (record.value() != null) {
              members.process(record);
            }
          },
          () -> requireNonNull(rules.get(topic), topic).process(record),
          () -> {
            if (record.value() instanceof PoolChange change && change.getRemoved() != null) {
              requireNonNull(rules.get(LISTINGS)).process(record.withValue(null)); // ends alerts on the pool's listings
            }
          },
          resources::save);
    }
  }

  /**
   * Runs all steps, even if some of them fail. If steps failed, throws the first failure at the end, so that the record
   * is quarantined. The results of the other steps are kept.
   */
  private static void each(Runnable... steps) {
    RuntimeException failure = null;
    for (var step : steps) {
      try {
        step.run();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void onCandle(String topic, Record<String, SpecificRecord> record) {
    if (topic.equals(TaskOutput.CONTROL)) {
      candleRules.values().forEach(each -> each.process(record));
    } else {
      var rulesOfTopic = candleRules.get(topic);
      if (rulesOfTopic == null || record.value() != null) { // topics of closed candles get no tombstones
        results.forward(topic, record);
      }
      if (rulesOfTopic != null) {
        rulesOfTopic.process(record);
      }
    }
  }

  private void onResult(String topic, Record<String, SpecificRecord> record) {
    if (topic.equals(TaskOutput.GROUPED_ALERTS)) {
      members.send(record.withValue((Alert) record.value()));
    } else {
      results.forward(topic, record);
    }
  }

  private void send(String aggregate, Record<String, GroupUpdate> update) {
    context.forward(
        update.withValue(new TopicRecord(aggregate, update.value())), TidemarkTopology.REPARTITION);
  }
}
