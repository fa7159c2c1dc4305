package io.tidemark.ledger;

import static io.tidemark.ledger.Looks.outcome;
import static io.tidemark.ledger.Looks.priced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.event.TargetMembers;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class StoreTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);

  final Store store = new Store(TOPICS, new BuiltInRegistry(TOPICS.all()));

  @Test
  void outcome_isKnown() {
    var entry = priced(store, "a", "1");

    store.apply(outcome(entry));

    assertThat(store.find("pool", "a")).isEqualTo(entry.state());
    assertThat(store.target(Looks.TARGET)).isEqualTo(Looks.target(1));
  }

  @Test
  void forgottenResource_isNotKnown() {
    store.apply(outcome(priced(store, "a", "1")));

    store.apply(outcome(new Entry("pool", "a", null, null)));

    assertThat(store.find("pool", "a")).isNull();
    assertThat(store.size("pool")).isZero();
  }

  @Test
  void membersOfElevenPages_areInTheirOrder() {
    var pages =
        IntStream.rangeClosed(1, 11).mapToObj(page -> new TargetMembers("x", page, List.of("p" + page))).toList();

    store.apply(new Outcome(Looks.target(1), pages, List.of(), List.of(), List.of()));

    assertThat(store.members("x")).isEqualTo(pages);
    assertThat(store.members("y")).isEmpty();
  }

  @Test
  void allStates_areVisited() {
    var a = priced(store, "a", "1");
    var b = priced(store, "b", "2");
    store.apply(outcome(a, b));
    var visited = new HashMap<String, SpecificRecord>();

    store.forEach("pool", visited::put);

    assertThat(visited).isEqualTo(Map.of("a", a.state(), "b", b.state()));
  }

  @Test
  void unknownResource_isNamed() {
    assertThatThrownBy(() -> store.find("pond", "a")).hasMessageContaining("'pond'").hasMessageContaining("coin-day");
  }
}
