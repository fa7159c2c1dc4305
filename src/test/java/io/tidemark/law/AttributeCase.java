package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.market.Operation;
import java.util.List;
import java.util.Map;

/** A test of the fold law for one attribute of one operation, which changes upstream while it is watched. */
final class AttributeCase {
  private final AttributeRow row;
  private final JsonBody body;
  private final PolledSource source = PolledSource.everything();

  /** The value of the attribute that this test expects to be known. */
  private Map<String, Object> known = Map.of();

  AttributeCase(AttributeRow row) {
    this.row = row;
    this.body = alone(JsonBody.complete(row.operation()));
    assertThat(body.has(row.path())).as("the complete body has it").isTrue();
    assertThat(row.parameter().equals("-") || OperationQueries.says(row.question(), row.parameter()))
        .as("the question says " + row.parameter()).isTrue();
  }

  /** Omits the exchange's name if the exchange's id is altered, because the name is known only with that id. */
  private JsonBody alone(JsonBody complete) {
    String name = row.operation() == Operation.POOL ? "/included/2/attributes/name" : "/included/3/attributes/name";
    return row.attribute().equals("description.dex") && complete.has(name) ? complete.with(name, null) : complete;
  }

  /** Alters an attribute that the first snapshot shows. */
  void playWhole() {
    Alterations alterations = new Alterations(row, body.node(row.path()), pollFirst(body));
    if (alterations.due() != null) {
      assertThat(known).as("at first").containsValue(alterations.due());
    }
    play(alterations.whole());
  }

  /** Alters an attribute that the first snapshot does not show. */
  void playUnseen() {
    Map<String, Object> first = new AttributeCase(row).pollFirst(body);
    Map<String, Object> missing = pollFirst(body.with(row.path(), null));
    assertThat(missing).as("known of what is absent").isEmpty();
    play(new Alterations(row, body.node(row.path()), first).fromAbsent());
  }

  /** Polls once and returns what is known of the attribute then. */
  private Map<String, Object> pollFirst(JsonBody document) {
    source.poll(row.question(), document);
    known = Attributes.below(source.memory.known(row.resource(), row.key(document), row.facet()), row.inFacet());
    return known;
  }

  private void play(List<Alteration> steps) {
    for (Alteration step : steps) {
      JsonBody next = body.with(row.path(), step.json());
      assertHeld(step, source.poll(row.question(), next));
      assertThat(source.poll(row.question(), next.spaced())).as("the same again, after %s", step).isEmpty();
    }
    source.memory.assertFoldIsState();
  }

  private void assertHeld(Alteration step, List<ReceivedChange> all) {
    var changes = all.stream().filter(changed -> !changed.isDerived()).toList();
    Map<String, Object> now = step.json() == null ? known : step.known();
    assertThat(changes).as("changes after %s, known: %s", step, known)
        .hasSize(now.equals(known) ? 0 : row.isOfTheAnswer() ? 2 : 1);
    changes.forEach(changed -> assertHeld(step, changed, now));
    known = now;
  }

  private void assertHeld(Alteration step, ReceivedChange changed, Map<String, Object> now) {
    assertThat(changed.resource()).as("%s", step).isEqualTo(row.resource());
    assertThat(changed.facets()).as("facets after %s", step).containsExactly(row.facet());
    Map<String, Object> before = changed.before(row.facet());
    assertThat(Attributes.below(before, row.inFacet())).as("before, at %s", step).isEqualTo(known);
    assertThat(changed.after(row.facet())).as("after, at %s", step)
        .isEqualTo(Attributes.with(before, row.inFacet(), now));
  }
}
