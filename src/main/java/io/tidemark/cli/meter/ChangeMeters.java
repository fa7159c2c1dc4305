package io.tidemark.cli.meter;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.change.Entry;
import io.tidemark.event.Appeared;
import io.tidemark.event.Suppressed;
import io.tidemark.ledger.Facets;
import io.tidemark.market.Operation;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.util.Collection;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** What was written of a source, and what was not worth it. */
final class ChangeMeters {

  static final String LETTERS = "Answers, and records, that were not understood and lie among the dead letters.";

  private static final List<String> RESOURCES = new Topics("any.", Retention.DEFAULT).resources().stream()
      .map(ResourceTopics::resource)
      .toList();

  private final Counted changes;
  private final Counted facets;
  private final Counted appeared;
  private final Counted letters;
  private final Undocumented undocumented;

  ChangeMeters(String source, MeterRegistry registry) {
    changes = new Counted(registry, source, "tidemark.changes", "Changes committed, by topic.");
    facets = new Counted(registry, source, "tidemark.facet.changes",
        "Facets that changed, by whether that was in a change at once (emitted) or is held back (suppressed).");
    appeared =
        new Counted(registry, source, "tidemark.appeared", "Resources seen for the first time, created or found.");
    letters = new Counted(registry, source, "tidemark.dead.letters", LETTERS);
    undocumented = new Undocumented(source, registry);
  }

  void watch(Collection<String> operations) {
    operations.forEach(operation -> letters.expect("operation", operation));
    letters.expect("operation", Operation.COIN_HISTORY.wire());
    List.of("created", "found").forEach(kind -> appeared.expect("resource", "pool", "kind", kind));
    undocumented.expect(RESOURCES);
  }

  void seen(Look look) {
    look.outcome().entries().forEach(this::written);
    look.outcome().target().getSuppressed().forEach(this::suppressed);
    look.outcome().deadLetters().forEach(letter -> letters.add(1, "operation", letter.getOperation()));
  }

  void written(Entry entry) {
    var change = entry.change();
    if (change != null) {
      var topic = topic(entry.resource());
      changes.add(1, "topic", topic);
      for (var facet : Facets.changed(change).split(",")) {
        facets.add(1, "topic", topic, "facet", facet.isEmpty() ? "none" : facet, "outcome", "emitted");
      }
      appeared(entry.resource(), change);
      undocumented.seen(entry.resource(), change);
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
