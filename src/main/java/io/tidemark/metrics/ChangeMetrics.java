package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.change.ResourceUpdate;
import io.tidemark.event.Appeared;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Suppressed;
import io.tidemark.market.Operation;
import io.tidemark.source.CommittedSnapshot;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.util.Collection;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** What was written of a source, and what was not worth it. */
final class ChangeMetrics {

  static final String DEAD_LETTERS_HELP =
      "Answers, and records, that were not understood and lie among the dead letters.";

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
        "Facets that changed, by whether that was in a change at once (emitted) or is held back (suppressed).");
    appeared =
        new LabelledCounter(registry, source, "tidemark.appeared",
            "Resources seen for the first time, created or found.");
    deadLetters = new LabelledCounter(registry, source, "tidemark.dead.letters", DEAD_LETTERS_HELP);
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
    committed.outcome().targetState().getSuppressed().forEach(this::suppressed);
    committed.outcome().deadLetters().forEach(deadLetter -> deadLetters.add(1, "operation", deadLetter.getOperation()));
  }

  void committed(ResourceUpdate entry) {
    var change = entry.change();
    if (change != null) {
      var topic = topic(entry.resource());
      changes.add(1, "topic", topic);
      for (var facet : ChangeView.of(change).facetsHeader(change).split(",")) {
        facets.add(1, "topic", topic, "facet", facet.isEmpty() ? "none" : facet, "outcome", "emitted");
      }
      appeared(entry.resource(), change);
      undocumented.committed(entry.resource(), change);
    }
  }

  private void appeared(String resource, SpecificRecord change) {
    var field = change.getSchema().getField("appeared");
    if (field != null && change.get(field.pos()) instanceof Appeared first) {
      appeared.add(1, "resource", resource, "kind", first.getKind());
    }
  }

  private void suppressed(Suppressed held) {
    facets.add(
        (double) held.getCount(), "topic", topic(held.getResource()), "facet", held.getFacet(), "outcome",
        "suppressed");
  }

  private static String topic(String resource) {
    return resource + ".changes";
  }
}
