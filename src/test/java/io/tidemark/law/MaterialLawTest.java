package io.tidemark.law;

import static io.tidemark.law.Watch.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.Worth;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the default is worth an event, attribute by attribute: at once, with another or when due, or with another. */
class MaterialLawTest {
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
  private static final Instant FIRST_LOOK = START.plusSeconds(10);

  private static final Set<String> TRAVELS_ALONG = Set.of(
      "token media", "global times", "coin-day media", "ticker media", "ticker times", "derivatives-exchange media",
      "contract media", "contract times", "platform media");
  private static final Set<String> COALESCED = Set.of(
      "pool activity", "pool flow", "token activity", "ticker converted", "contract day", "contract converted");

  @ParameterizedTest
  @EnumSource
  void materialFacet_comesAtOnce(Operation operation) {
    for (Row row : rows(operation)) {
      if (!TRAVELS_ALONG.contains(facet(row)) && !COALESCED.contains(facet(row))) {
        var seen = new Altered(row);

        assertThat(seen.ofTheRow()).as(row.toString()).isNotEmpty()
            .allSatisfy(changed -> assertThat(changed.facets()).containsExactly(row.facet()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void facetHeldBack_comesWithTheNextChange_fromTheValueLastSaid(Operation operation) {
    for (Row row : heldBack(operation)) {
      var seen = new Altered(row);
      assertThat(seen.changes).as(row.toString()).isEmpty();

      Changed next = seen.together();

      assertThat(next.facets()).as(row.toString()).containsExactlyInAnyOrder(row.facet(), seen.companion.facet());
      seen.assertWhole(next);
    }
  }

  @ParameterizedTest
  @EnumSource
  void facetHeldBack_andBackAsItWas_isNeverSaid(Operation operation) {
    for (Row row : heldBack(operation)) {
      var seen = new Altered(row);

      List<Changed> changes = seen.watch.look(row.question(), seen.withCompanion(seen.body));

      assertThat(changes).as(row.toString()).hasSize(1);
      assertThat(changes.getFirst().facets()).as(row.toString()).containsExactly(seen.companion.facet());
      seen.watch.memory.assertFoldIsState();
    }
  }

  @ParameterizedTest
  @EnumSource
  void coalescedFacet_comesByItself_fiveMinutesAfterTheLast(Operation operation) {
    for (Row row : rows(operation)) {
      if (COALESCED.contains(facet(row))) {
        var seen = new Altered(row);
        assertThat(seen.watch.due(row.resource(), seen.key)).as(row.toString())
            .isEqualTo(FIRST_LOOK.plus(FIVE_MINUTES));

        Changed flushed = seen.watch.expire(row.resource(), seen.key, FIRST_LOOK.plus(FIVE_MINUTES));

        assertThat(flushed.facets()).as(row.toString()).containsExactly(row.facet());
        seen.assertWhole(flushed);
        assertThat(seen.watch.expire(row.resource(), seen.key, seen.watch.now.plusSeconds(1))).isNull();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void facetThatOnlyTravels_neverComesByItself(Operation operation) {
    for (Row row : rows(operation)) {
      if (TRAVELS_ALONG.contains(facet(row))) {
        var seen = new Altered(row);

        Changed nothing = seen.watch.expire(row.resource(), seen.key, FIRST_LOOK.plus(FIVE_MINUTES));

        assertThat(nothing).as(row.toString()).isNull();
        seen.watch.memory.assertFoldIsState();
      }
    }
  }

  @Test
  void everyFacetNamedHere_isInTheTable() {
    var inTheTable = Row.attributes().stream().map(MaterialLawTest::facet).toList();

    assertThat(inTheTable).containsAll(TRAVELS_ALONG).containsAll(COALESCED);
  }

  private static List<Row> rows(Operation operation) {
    return Row.attributes().stream().filter(row -> row.operation() == operation).toList();
  }

  private static List<Row> heldBack(Operation operation) {
    return rows(operation).stream()
        .filter(row -> TRAVELS_ALONG.contains(facet(row)) || COALESCED.contains(facet(row)))
        .toList();
  }

  private static String facet(Row row) {
    return row.resource() + " " + row.facet();
  }

  /** An attribute that was seen, and then seen altered. */
  private static final class Altered {
    private final Watch watch = new Watch(Worth.MATERIAL);
    private final Row row;
    private final Row companion;
    private final Document body;
    private final Document altered;
    private final String key;
    private final Map<String, Object> before;
    private final Step step;
    private final List<Changed> changes;

    Altered(Row row) {
      this.row = row;
      body = Document.complete(row.operation());
      key = row.key(body);
      companion = rows(row.operation()).stream().filter(this::isCompanion).findFirst().orElseThrow();
      watch.look(row.question(), body);
      before = watch.memory.known(row.resource(), key, row.facet());
      step = new Course(row, body.node(row.path()), Map.of()).other();
      altered = body.with(row.path(), step.json());
      changes = watch.look(row.question(), altered);
      watch.memory.assertFoldIsState();
    }

    /** An attribute of the same resource that is worth an event. */
    private boolean isCompanion(Row other) {
      return other.resource().equals(row.resource())
          && other.instance().equals(row.instance())
          && other.kind().matches("[sni]")
          && !other.isOfTheAnswer()
          && !TRAVELS_ALONG.contains(facet(other))
          && !COALESCED.contains(facet(other));
    }

    List<Changed> ofTheRow() {
      return changes.stream().filter(changed -> !changed.isDerived()).toList();
    }

    Document withCompanion(Document document) {
      Step other = new Course(companion, body.node(companion.path()), Map.of()).other();
      return document.with(companion.path(), other.json());
    }

    /** The one change when another attribute is altered too. */
    Changed together() {
      List<Changed> all = watch.look(row.question(), withCompanion(altered));
      assertThat(all).as(row.toString()).hasSize(1);
      return all.getFirst();
    }

    void assertWhole(Changed changed) {
      assertThat(changed.before(row.facet())).as("%s: before", row).isEqualTo(before);
      assertThat(changed.after(row.facet())).as("%s: after", row)
          .isEqualTo(Attributes.with(before, row.inFacet(), step.known()));
      watch.memory.assertFoldIsState();
    }
  }
}
