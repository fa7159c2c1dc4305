package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class AttributeTest {

  /** Every attribute of a change that is text and no decimal: a new one is added here, or is a decimal by its schema. */
  static final List<String> TEXTS = List.of(
      "appeared.kind", "appeared.list", "extra.json", "removed.reason", "origin.operation", "origin.source",
      "origin.target");

  @Test
  void poolAttributes_areDecimalsExceptNamesIdsAndTimes() {
    var texts = new TreeSet<>(TEXTS);
    texts.addAll(List.of(
        "id", "network", "address", "about.name", "about.dex", "about.base_symbol", "about.quote_symbol",
        "about.created_at", "description.name", "description.pool_name", "description.pool_created_at",
        "description.base_token", "description.quote_token", "description.dex", "description.dex_name",
        "launchpad.launchpad_details.completed_at",
        "launchpad.launchpad_details.migrated_destination_pool_address"));

    assertThat(textsOf(PoolChange.getClassSchema())).containsExactlyElementsOf(texts);
  }

  @Test
  void tokenAttributes_areDecimalsExceptNamesIdsAndTimes() {
    var texts = new TreeSet<>(TEXTS);
    texts.addAll(List.of(
        "id", "network", "address", "about.name", "about.symbol", "description.name", "description.symbol",
        "description.service_coin_id", "launchpad.launchpad_details.completed_at",
        "launchpad.launchpad_details.migrated_destination_pool_address", "media.image_url", "pool_price.pool"));

    assertThat(textsOf(TokenChange.getClassSchema())).containsExactlyElementsOf(texts);
  }

  private static List<String> textsOf(Schema schema) {
    var texts = new TreeSet<String>();
    Attribute.of(schema).stream().filter(attribute -> !attribute.name().equals("before"))
        .forEach(attribute -> collect("", attribute, texts));
    return List.copyOf(texts);
  }

  /** What is after a change stands under the facet's own name. */
  private static void collect(String prefix, Attribute attribute, Set<String> texts) {
    var name = attribute.name().equals("after") ? prefix : prefix + attribute.name() + ".";
    switch (attribute.type()) {
      case Attribute.Scalar.TEXT -> texts.add(prefix + attribute.name());
      case Attribute.RecordOf record -> record.attributes().stream()
          .filter(each -> !each.name().equals("before"))
          .forEach(each -> collect(name, each, texts));
      default -> {}
    }
  }
}
