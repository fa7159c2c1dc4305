package io.tidemark.feed;

import io.tidemark.event.Attribute;
import io.tidemark.event.ChangeView;
import io.tidemark.event.ChangeView.ChangePart;
import io.tidemark.rule.expression.AttributeHistory;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.rule.expression.Expression;
import io.tidemark.rule.expression.ExpressionException;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.RecordHeader;
import io.tidemark.topic.Topic;
import java.util.List;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a topic a reader gets: those that pass all conditions. A tombstone has no facets and no values: it
 * passes where its key does, so that a follower of states hears of each removal.
 *
 * @param keys any of these; empty for all
 * @param network the value's; null for all
 * @param networkOf the fields that lead to it in a value; empty where no network is asked for
 * @param facets of which at least one changed; empty for all
 * @param where a condition; null for none
 */
record FeedFilter(
    Set<String> keys, @Nullable String network, List<Attribute> networkOf, Set<String> facets,
    @Nullable Expression where) {

  static final FeedFilter NONE = new FeedFilter(Set.of(), null, List.of(), Set.of(), null);

  /**
   * A filter for the records of a topic.
   *
   * @throws FeedRefusal if the topic has no such records
   */
  static FeedFilter of(
      Topic<?> topic, Set<String> keys, @Nullable String network, Set<String> facets, @Nullable String where) {
    return new FeedFilter(keys, network, network == null ? List.of() : networkOf(topic), checked(topic, facets),
        where == null ? null : condition(topic, where));
  }

  /** A state has it in the resource that it knows. */
  private static List<Attribute> networkOf(Topic<?> topic) {
    var attributes = ChangeView.of(topic.schema()).attributes();
    var own = find("network", attributes);
    var known = find("known", attributes);
    if (own != null) {
      return List.of(own);
    }
    if (known != null && known.type() instanceof Attribute.RecordOf resource) {
      var inside = find("network", resource.attributes());
      if (inside != null) {
        return List.of(known, inside);
      }
    }
    throw FeedRefusal.badRequest(
        "network: the records of " + topic.name() + " have no network; choose with key or where");
  }

  private static @Nullable Attribute find(String name, List<Attribute> attributes) {
    return attributes.stream().filter(attribute -> attribute.name().equals(name)).findFirst().orElse(null);
  }

  private static Set<String> checked(Topic<?> topic, Set<String> facets) {
    if (facets.isEmpty()) {
      return facets;
    }
    var view = ChangeView.of(topic.schema());
    if (!view.isChange()) {
      throw FeedRefusal.badRequest("facet: only changes have facets, and " + topic.name() + " has none");
    }
    var known = view.parts().stream().map(ChangePart::name).toList();
    facets.stream().filter(facet -> !known.contains(facet)).findFirst().ifPresent(facet -> {
      throw FeedRefusal.badRequest("facet: " + topic.name() + " has " + String.join(", ", known) + ", and no such one");
    });
    return facets;
  }

  private static Expression condition(Topic<?> topic, String text) {
    try {
      var condition = Expression.condition(text, Vocabulary.of(topic.schema()));
      if (!condition.history().isEmpty()) {
        throw FeedRefusal.badRequest("where: a feed has no history of the records: moved, highest, lowest, average,"
            + " count, and the age of an attribute, work in rules only");
      }
      return condition;
    } catch (ExpressionException e) {
      throw FeedRefusal.badRequest("where, for " + topic.name() + ": " + e.getMessage());
    }
  }

  /**
   * Whether a reader gets the record. One that cannot be read passes where its key does.
   *
   * @throws EvaluationFailure if the condition exceeds its budget
   */
  boolean passes(CommittedRecord record) {
    if (!keys.isEmpty() && !keys.contains(record.keyText())) {
      return false;
    }
    var value = record.value();
    if (value == null) {
      return record.unreadable() != null || network == null || isOfNetwork(record, network);
    }
    return (network == null || network.equals(networkIn(value)))
        && (facets.isEmpty() || ChangeView.of(value).changed(value).stream().anyMatch(facets::contains))
        && (where == null || where.test(value, AttributeHistory.none(record.time())) == Expression.Verdict.TRUE);
  }

  /** Whether it has a condition that may take long for one record. */
  boolean isCostly() {
    return where != null && !where.hasFixedCost();
  }

  private @Nullable String networkIn(IndexedRecord value) {
    Object found = value;
    for (var attribute : networkOf) {
      found = found == null ? null : attribute.in((IndexedRecord) found);
    }
    return found == null ? null : found.toString();
  }

  /**
   * Whether a tombstone is of a network: its header says so. Those without it are of earlier versions, and of keys that
   * are a network, or begin with one and a slash.
   */
  private static boolean isOfNetwork(CommittedRecord tombstone, String network) {
    var header = tombstone.headers().get(RecordHeader.NETWORK.wire());
    var key = tombstone.keyText();
    return header == null
        ? key.equals(network) || key.startsWith(network + "/") || key.startsWith(network + "_")
        : header.equals(network);
  }
}
