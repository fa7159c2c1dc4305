package io.tidemark.law;

import static io.tidemark.law.PolledSource.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.PublishSettings;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When {@code events: material} publishes each attribute: at once, within five minutes, or only with another facet. */
class MaterialLawTest {
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);
  private static final Instant FIRST_POLL = START.plusSeconds(10);

  private static final Set<String> TRAVELS_ALONG = Set.of(
      "token media", "global times", "coin-day media", "ticker media", "ticker times", "derivatives-exchange media",
      "contract media", "contract times", "platform media");
  private static final Set<String> COALESCED = Set.of(
      "pool activity", "pool flow", "token activity", "ticker converted", "contract day", "contract converted");

  @ParameterizedTest
  @EnumSource
  void materialFacet_comesAtOnce(Operation operation) {
    for (AttributeRow row : rows(operation)) {
      if (!TRAVELS_ALONG.contains(facet(row)) && !COALESCED.contains(facet(row))) {
        var observed = new Altered(row);

        assertThat(observed.ofTheRow()).as(row.toString()).isNotEmpty()
            .allSatisfy(changed -> assertThat(changed.facets()).containsExactly(row.facet()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void withheldFacet_comesWithTheNextChange_fromItsPublishedValue(Operation operation) {
    for (AttributeRow row : heldBack(operation)) {
      var observed = new Altered(row);
      assertThat(observed.changes).as(row.toString()).isEmpty();

      ReceivedChange next = observed.together();

      assertThat(next.facets()).as(row.toString()).containsExactlyInAnyOrder(row.facet(), observed.companion.facet());
      observed.assertWhole(next);
    }
  }

  @ParameterizedTest
  @EnumSource
  void facetWithheld_andBackAsItWas_isNeverPublished(Operation operation) {
    for (AttributeRow row : heldBack(operation)) {
      var observed = new Altered(row);

      List<ReceivedChange> changes = observed.source.poll(row.question(), observed.withCompanion(observed.body));

      assertThat(changes).as(row.toString()).hasSize(1);
      assertThat(changes.getFirst().facets()).as(row.toString()).containsExactly(observed.companion.facet());
      observed.source.memory.assertFoldIsState();
    }
  }

  @ParameterizedTest
  @EnumSource
  void coalescedFacet_comesByItself_fiveMinutesAfterTheLast(Operation operation) {
    for (AttributeRow row : rows(operation)) {
      if (COALESCED.contains(facet(row))) {
        var observed = new Altered(row);
        assertThat(observed.source.due(row.resource(), observed.key)).as(row.toString())
            .isEqualTo(FIRST_POLL.plus(FIVE_MINUTES));

        ReceivedChange flushed = observed.source.expire(row.resource(), observed.key, FIRST_POLL.plus(FIVE_MINUTES));

        assertThat(flushed.facets()).as(row.toString()).containsExactly(row.facet());
        observed.assertWhole(flushed);
        assertThat(observed.source.expire(row.resource(), observed.key, observed.source.now.plusSeconds(1))).isNull();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void facetThatOnlyTravels_neverComesByItself(Operation operation) {
    for (AttributeRow row : rows(operation)) {
      if (TRAVELS_ALONG.contains(facet(row))) {
        var observed = new Altered(row);

        ReceivedChange nothing = observed.source.expire(row.resource(), observed.key, FIRST_POLL.plus(FIVE_MINUTES));

        assertThat(nothing).as(row.toString()).isNull();
        observed.source.memory.assertFoldIsState();
      }
    }
  }

  @Test
  void everyFacetNamedHere_isInTheTable() {
    var inTheTable = AttributeRow.attributes().stream().map(MaterialLawTest::facet).toList();

    assertThat(inTheTable).containsAll(TRAVELS_ALONG).containsAll(COALESCED);
  }

  private static List<AttributeRow> rows(Operation operation) {
    return AttributeRow.attributes().stream().filter(row -> row.operation() == operation).toList();
  }

  private static List<AttributeRow> heldBack(Operation operation) {
    return rows(operation).stream()
        .filter(row -> TRAVELS_ALONG.contains(facet(row)) || COALESCED.contains(facet(row)))
        .toList();
  }

  private static String facet(AttributeRow row) {
    return row.resource() + " " + row.facet();
  }

  /** One attribute whose value differs between the first and the second snapshot. */
  private static final class Altered {
    private final PolledSource source = new PolledSource(PublishSettings.MATERIAL);
    private final AttributeRow row;
    private final AttributeRow companion;
    private final JsonBody body;
    private final JsonBody altered;
    private final String key;
    private final Map<String, Object> before;
    private final Alteration step;
    private final List<ReceivedChange> changes;

    Altered(AttributeRow row) {
      this.row = row;
      body = JsonBody.complete(row.operation());
      key = row.key(body);
      companion = rows(row.operation()).stream().filter(this::isCompanion).findFirst().orElseThrow();
      source.poll(row.question(), body);
      before = source.memory.known(row.resource(), key, row.facet());
      step = new Alterations(row, body.node(row.path()), Map.of()).other();
      altered = body.with(row.path(), step.json());
      changes = source.poll(row.question(), altered);
      source.memory.assertFoldIsState();
    }

    /** Returns whether another attribute of the same resource is published at once. */
    private boolean isCompanion(AttributeRow other) {
      return other.resource().equals(row.resource())
          && other.instance().equals(row.instance())
          && other.kind().matches("[sni]")
          && !other.isOfTheAnswer()
          && !TRAVELS_ALONG.contains(facet(other))
          && !COALESCED.contains(facet(other));
    }

    List<ReceivedChange> ofTheRow() {
      return changes.stream().filter(changed -> !changed.isDerived()).toList();
    }

    JsonBody withCompanion(JsonBody document) {
      Alteration other = new Alterations(companion, body.node(companion.path()), Map.of()).other();
      return document.with(companion.path(), other.json());
    }

    /** Alters another attribute too and returns the one change. */
    ReceivedChange together() {
      List<ReceivedChange> all = source.poll(row.question(), withCompanion(altered));
      assertThat(all).as(row.toString()).hasSize(1);
      return all.getFirst();
    }

    void assertWhole(ReceivedChange changed) {
      assertThat(changed.before(row.facet())).as("%s: before", row).isEqualTo(before);
      assertThat(changed.after(row.facet())).as("%s: after", row)
          .isEqualTo(Attributes.with(before, row.inFacet(), step.known()));
      source.memory.assertFoldIsState();
    }
  }
}
