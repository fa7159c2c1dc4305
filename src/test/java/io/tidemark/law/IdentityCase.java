package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A test of one identity attribute: another value is another resource, and the first resource stays. */
final class IdentityCase {
  private final AttributeRow row;
  private final JsonBody body;
  private final PolledSource source = PolledSource.everything();

  IdentityCase(AttributeRow row) {
    this.row = row;
    this.body = JsonBody.complete(row.operation());
  }

  void play() {
    source.poll(row.question(), body);
    List<String> keys = source.memory.keys(row.resource());
    Set<Object> values = values(keys);
    List<ReceivedChange> changes =
        pollAtAnother().stream().filter(each -> each.resource().equals(row.resource())).toList();

    var others = changes.stream().filter(each -> !keys.contains(each.key())).toList();
    assertThat(others).as("changes of other resources").hasSize(expected(keys));
    assertThat(values(others.stream().map(ReceivedChange::key).toList())).as(row.attribute())
        .doesNotContainAnyElementsOf(values);
    changes.stream().filter(each -> keys.contains(each.key()))
        .forEach(each -> assertThat(each.facets()).as("facets of what it was before").isSubsetOf("removed"));
    source.memory.assertFoldIsState();
  }

  private int expected(List<String> keys) {
    return row.attribute().equals("entity") || row.kind().equals("query") ? keys.size() : 1;
  }

  private Set<Object> values(List<String> keys) {
    return keys.stream()
        .map(key -> Attributes.get(source.memory.known(row.resource(), key), row.attribute()))
        .collect(Collectors.toSet());
  }

  private List<ReceivedChange> pollAtAnother() {
    return switch (row.kind()) {
      case "query" -> askOtherwise();
      case "operation" -> askAnother();
      default -> source.poll(row.question(), altered());
    };
  }

  private List<ReceivedChange> askOtherwise() {
    String[] texts = row.path().substring(1).split(">");
    Query<?> otherwise = OperationQueries.altered(row.question(), texts[0], texts[1]);
    boolean inIds = row.attribute().equals("network") && !row.resource().equals("ranking");
    return source.poll(otherwise, inIds ? body.replaced(texts[0], texts[1]) : body);
  }

  private List<ReceivedChange> askAnother() {
    Operation another = row.operation() == Operation.NEW_POOLS ? Operation.TRENDING_POOLS : Operation.NEW_POOLS;
    return source.poll(OperationQueries.to(another), JsonBody.complete(another));
  }

  /** Alters the identity; an on-chain address also in all ids, by which pools and tokens refer to each other. */
  private JsonBody altered() {
    String value = body.node(row.path()).textValue();
    boolean onChain = row.resource().equals("pool") || row.resource().equals("token");
    return onChain
        ? body.replaced(value.substring(value.indexOf("0x")), address(value))
        : body.with(row.path(), "\"" + value + "2\"");
  }

  private static String address(String value) {
    return value.substring(value.indexOf("0x"), value.length() - 1) + "e";
  }
}
