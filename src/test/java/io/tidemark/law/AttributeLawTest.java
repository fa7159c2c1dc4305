package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

/**
 * The fold law for every attribute of every resource in every operation that carries it. An attribute that gets another
 * value or type upstream gives one change of its resource, which names its facet, and the fold of all changes is the
 * state. The attributes come from the table of the interface, which is compared with the schemas.
 */
class AttributeLawTest {
  /** Facets that no single place of an answer carries. Each has its own test. */
  private static final Set<String> NOT_OF_ONE_PLACE = Set.of("token pool_price", "platform nft", "ranking order");

  private final Set<String> covered = new TreeSet<>();
  private final List<String> broken = new ArrayList<>();
  private int places;

  @Test
  void everyAttributeAlteredUpstream_isOneChangeThatNamesItsFacet() {
    AttributeRow.attributes().forEach(row -> held(row, each -> new AttributeCase(each).playWhole()));
    AttributeRow.attributes().forEach(row -> held(row, each -> new AttributeCase(each).playUnseen()));
    AttributeRow.identities().forEach(row -> held(row, each -> new IdentityCase(each).play()));

    Set<String> all = attributesOfTheSchemas();
    Stream.concat(AttributeRow.attributes().stream(), AttributeRow.identities().stream()).map(AttributeLawTest::name)
        .forEach(all::add);
    Set<String> missing = new TreeSet<>(all);
    missing.removeAll(covered);
    System.out.printf("The law holds for %d of %d attributes, in %d places; not covered: %s%n",
        all.size() - missing.size(), all.size(), places, missing);
    assertThat(broken).as("attributes for which the law does not hold").isEmpty();
    assertThat(missing).as("attributes that are not covered").isEmpty();
  }

  private void held(AttributeRow row, Consumer<AttributeRow> law) {
    try {
      law.accept(row);
      places++;
      covered.add(name(row));
    } catch (AssertionError | RuntimeException e) {
      broken.add(row + ": " + e);
    }
  }

  private static String name(AttributeRow row) {
    return row.resource() + " " + row.attribute();
  }

  /** Returns the attributes of all facets and identities in the schemas. */
  private static Set<String> attributesOfTheSchemas() {
    var all = new TreeSet<String>();
    for (ResourceTopics<?, ?> resource : new Topics("law.", Retention.DEFAULT).resources()) {
      Schema known = SpecificData.get().getSchema(resource.state().value()).getField("known").schema();
      known.getFields().stream()
          .filter(field -> !field.name().equals("extra"))
          .filter(field -> !NOT_OF_ONE_PLACE.contains(resource.resource() + " " + field.name()))
          .flatMap(field -> attributes(field).stream())
          .forEach(attribute -> all.add(resource.resource() + " " + attribute));
    }
    return all;
  }

  private static Set<String> attributes(Schema.Field field) {
    return Attributes
        .of(Schema.createRecord("one", null, null, false, List.of(new Schema.Field(field, field.schema()))));
  }
}
