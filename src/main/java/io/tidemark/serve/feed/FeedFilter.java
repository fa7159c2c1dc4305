package io.tidemark.serve.feed;

import io.tidemark.event.Attribute;
import io.tidemark.event.ChangeView;
import io.tidemark.event.ChangeView.ChangePart;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordHeader;
import io.tidemark.kafka.Topic;
import io.tidemark.rule.expression.EvaluatedRecord;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.rule.expression.Expression;
import io.tidemark.rule.expression.ExpressionException;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.serve.feed.FeedRequest.TopicRequest;
import java.util.List;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A filter for the records of a topic. A reader gets the records that pass all parts of the filter. A tombstone has
 * no facets and no values, so it passes if its key and network pass. A client that follows a topic of states
 * therefore also gets the tombstones.
 *
 * @param request the keys, network and facets that pass
 * @param networkOf path of the fields that lead to the network in a value, outermost first; empty if records are not
 *     filtered by network
 * @param where a condition, which a value passes only if the result is true; null for none
 */
record FeedFilter(TopicRequest request, List<Attribute> networkOf, @Nullable Expression where) {

  /**
   * @throws FeedRefusal if a network is given but the records of the topic have none, if they lack a given facet, or
   *     if the condition is invalid for these records
   */
  static FeedFilter of(Topic<?> topic, TopicRequest request) {
    var networkOf = request.network() == null ? List.<Attribute>of() : networkOf(topic);
    checkFacets(topic, request.facets());
    return new FeedFilter(request, networkOf, request.where() == null ? null : condition(topic, request.where()));
  }

  /**
   * Returns the fields that lead to the network in a value, outermost first. In a state, the network is inside the
   * field {@code known}.
   */
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
        "network: the records of " + topic.name() + " have no network; filter with key or where instead");
  }

  private static @Nullable Attribute find(String name, List<Attribute> attributes) {
    return attributes.stream().filter(attribute -> attribute.name().equals(name)).findFirst().orElse(null);
  }

  private static void checkFacets(Topic<?> topic, Set<String> facets) {
    if (facets.isEmpty()) {
      return;
    }
    var view = ChangeView.of(topic.schema());
    if (!view.isChange()) {
      throw FeedRefusal.badRequest(
          "facet: only changes have facets, and the records of " + topic.name() + " are not changes");
    }
    var known = view.parts().stream().map(ChangePart::name).toList();
    facets.stream().filter(facet -> !known.contains(facet)).findFirst().ifPresent(facet -> {
      throw FeedRefusal.badRequest("facet: " + topic.name() + " has only the facets " + String.join(", ", known));
    });
  }

  private static Expression condition(Topic<?> topic, String text) {
    try {
      return Expression.conditionOnOneRecord(text, Vocabulary.of(topic.schema()));
    } catch (ExpressionException e) {
      throw FeedRefusal.badRequest("where, for " + topic.name() + ": " + e.getMessage());
    }
  }

  /**
   * Returns whether a reader gets the record. An unreadable record passes if its key passes.
   *
   * @throws EvaluationFailure if the condition exceeds its budget for one record
   */
  boolean passes(CommittedRecord record) {
    if (!request.keys().isEmpty() && !request.keys().contains(record.keyText())) {
      return false;
    }
    var network = request.network();
    var facets = request.facets();
    var value = record.value();
    if (value == null) {
      return record.unreadable() != null || network == null || isOfNetwork(record, network);
    }
    return (network == null || network.equals(networkIn(value)))
        && (facets.isEmpty() || ChangeView.of(value).changed(value).stream().anyMatch(facets::contains))
        && (where == null || where.test(new EvaluatedRecord(value, record.time())) == Expression.Verdict.TRUE);
  }

  /** Returns whether the condition may take long for one record. */
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
   * Returns whether a tombstone belongs to a network, according to the tombstone's header. A tombstone written by an
   * earlier version has no header; its key is a network, or begins with a network and a slash or underscore.
   */
  private static boolean isOfNetwork(CommittedRecord tombstone, String network) {
    var header = tombstone.headers().get(RecordHeader.NETWORK.wire());
    var key = tombstone.keyText();
    return header == null
        ? key.equals(network) || key.startsWith(network + "/") || key.startsWith(network + "_")
        : header.equals(network);
  }
}
