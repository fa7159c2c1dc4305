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
import io.tidemark.topic.Topic;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which records of a topic a reader gets: those that pass all conditions. A tombstone has no facets and no values: it
 * passes where its key does, so that a follower of states hears of each removal.
 *
 * @param keys any of these; empty for all
 * @param network the value's; null for all
 * @param networkOf where the value has it; null where no network is asked for
 * @param facets of which at least one changed; empty for all
 * @param where a condition; null for none
 */
record FeedFilter(
    Set<String> keys, @Nullable String network, @Nullable Attribute networkOf, Set<String> facets,
    @Nullable Expression where) {

  static final FeedFilter NONE = new FeedFilter(Set.of(), null, null, Set.of(), null);

  /**
   * A filter for the records of a topic.
   *
   * @throws FeedRefusal if the topic has no such records
   */
  static FeedFilter of(
      Topic<?> topic, Set<String> keys, @Nullable String network, Set<String> facets, @Nullable String where) {
    return new FeedFilter(keys, network, network == null ? null : networkOf(topic), checked(topic, facets),
        where == null ? null : condition(topic, where));
  }

  private static Attribute networkOf(Topic<?> topic) {
    return ChangeView.of(topic.schema()).attributes().stream()
        .filter(attribute -> attribute.name().equals("network"))
        .findFirst()
        .orElseThrow(() -> FeedRefusal.badRequest(
            "network: the records of " + topic.name() + " have no network; choose with key or where"));
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
      return record.unreadable() != null || network == null || record.keyText().startsWith(network);
    }
    return (networkOf == null || String.valueOf(networkOf.in(value)).equals(network))
        && (facets.isEmpty() || ChangeView.of(value).changed(value).stream().anyMatch(facets::contains))
        && (where == null || where.test(value, AttributeHistory.none(record.time())) == Expression.Verdict.TRUE);
  }
}
