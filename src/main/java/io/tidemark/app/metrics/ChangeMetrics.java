package io.tidemark.app.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.source.SourceListener.CommittedSnapshot;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Suppressed;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.market.Operation;
import java.util.Collection;
import java.util.List;

/** Metrics of a source's changes, published and withheld, and of its dead letters. */
final class ChangeMetrics {

  private static final List<String> RESOURCES = new Topics("any.", Retention.DEFAULT).resources().stream()
      .map(ResourceTopics::resource)
      .toList();

  private final MeterProvider<Counter> changes;
  private final MeterProvider<Counter> facets;
  private final MeterProvider<Counter> appeared;
  private final MeterProvider<Counter> deadLetters;
  private final UndocumentedAttributes undocumented;

  ChangeMetrics(String source, MeterFactory meters) {
    changes = meters.counters("tidemark.changes", "Changes committed, by topic.");
    facets = meters.counters("tidemark.facet.changes",
        "Facets that changed, by whether the change was published or withheld.");
    appeared = meters.counters("tidemark.appeared", "Resources that appeared, by kind: created or found.");
    deadLetters = meters.counters("tidemark.dead.letters",
        "Dead letters: answers that could not be read, and records that could not be written.");
    undocumented = new UndocumentedAttributes(source, meters);
  }

  void registerAtZero(Collection<String> operations) {
    operations.forEach(operation -> deadLetters.withTags("operation", operation).increment(0));
    deadLetters.withTags("operation", Operation.COIN_HISTORY.wire()).increment(0);
    List.of("created", "found").forEach(kind -> appeared.withTags("resource", "pool", "kind", kind).increment(0));
    undocumented.registerAtZero(RESOURCES);
  }

  void committed(CommittedSnapshot committed) {
    committed.outcome().updates().forEach(this::committed);
    var target = committed.outcome().targetState();
    if (target.getChanged()) { // of a rejected snapshot, the facets are those of the one before
      target.getSuppressed().forEach(this::withheld);
    }
    committed.outcome().deadLetters()
        .forEach(deadLetter -> deadLetters.withTags("operation", deadLetter.getOperation()).increment());
  }

  void committed(ResourceUpdate update) {
    var change = update.change();
    if (change == null) {
      return;
    }
    var view = ChangeView.of(change);
    var topic = topic(update.resource());
    changes.withTags("topic", topic).increment();
    var changed = view.changed(change);
    (changed.isEmpty() ? List.of("none") : changed)
        .forEach(facet -> facets.withTags("topic", topic, "facet", facet, "outcome", "published").increment());
    var first = view.appeared(change);
    if (first != null) {
      appeared.withTags("resource", update.resource(), "kind", first.getKind()).increment();
    }
    undocumented.committed(update.resource(), change);
  }

  private void withheld(Suppressed withheld) {
    facets.withTags("topic", topic(withheld.getResource()), "facet", withheld.getFacet(), "outcome", "withheld")
        .increment((double) withheld.getCount());
  }

  private static String topic(String resource) {
    return resource + ".changes";
  }
}
