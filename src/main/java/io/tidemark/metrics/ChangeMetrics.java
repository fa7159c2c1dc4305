package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Suppressed;
import io.tidemark.market.Operation;
import io.tidemark.source.SourceListener.CommittedSnapshot;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.util.Collection;
import java.util.List;

/** Metrics of a source's changes, published and withheld, and of its dead letters. */
final class ChangeMetrics {

  private static final List<String> RESOURCES = new Topics("any.", Retention.DEFAULT).resources().stream()
      .map(ResourceTopics::resource)
      .toList();

  private final LabelledCounter changes;
  private final LabelledCounter facets;
  private final LabelledCounter appeared;
  private final LabelledCounter deadLetters;
  private final UndocumentedAttributes undocumented;

  ChangeMetrics(String source, MeterRegistry registry) {
    changes = new LabelledCounter(registry, source, "tidemark.changes", "Changes committed, by topic.");
    facets = new LabelledCounter(registry, source, "tidemark.facet.changes",
        "Facets that changed, published in a change at once, or withheld.");
    appeared = new LabelledCounter(registry, source, "tidemark.appeared", "Resources that appeared, created or found.");
    deadLetters = new LabelledCounter(registry, source, "tidemark.dead.letters",
        "Dead letters: answers that could not be read, and records that could not be written.");
    undocumented = new UndocumentedAttributes(source, registry);
  }

  void registerAtZero(Collection<String> operations) {
    operations.forEach(operation -> deadLetters.registerAtZero("operation", operation));
    deadLetters.registerAtZero("operation", Operation.COIN_HISTORY.wire());
    List.of("created", "found").forEach(kind -> appeared.registerAtZero("resource", "pool", "kind", kind));
    undocumented.registerAtZero(RESOURCES);
  }

  void committed(CommittedSnapshot committed) {
    committed.outcome().updates().forEach(this::committed);
    committed.outcome().targetState().getSuppressed().forEach(this::withheld);
    committed.outcome().deadLetters().forEach(deadLetter -> deadLetters.add(1, "operation", deadLetter.getOperation()));
  }

  void committed(ResourceUpdate update) {
    var change = update.change();
    if (change == null) {
      return;
    }
    var view = ChangeView.of(change);
    var topic = topic(update.resource());
    changes.add(1, "topic", topic);
    var changed = view.changed(change);
    (changed.isEmpty() ? List.of("none") : changed)
        .forEach(facet -> facets.add(1, "topic", topic, "facet", facet, "outcome", "published"));
    var first = view.appeared(change);
    if (first != null) {
      appeared.add(1, "resource", update.resource(), "kind", first.getKind());
    }
    undocumented.committed(update.resource(), change);
  }

  private void withheld(Suppressed withheld) {
    facets.add((double) withheld.getCount(), "topic", topic(withheld.getResource()), "facet", withheld.getFacet(),
        "outcome", "withheld");
  }

  private static String topic(String resource) {
    return resource + ".changes";
  }
}
