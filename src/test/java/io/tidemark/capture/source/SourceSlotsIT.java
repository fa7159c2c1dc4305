package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.ledger.TestSource;
import io.tidemark.event.SourceSlot;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SourceSlotsIT {

  final String prefix = SharedBroker.freshPrefix();

  @Test
  void sourcesClaimed_eachHasASlotOfItsOwnForEver() {
    var first = claim("a", "b");

    assertThat(first.values()).doesNotHaveDuplicates();
    assertThat(claim("b", "c", "a")).containsAllEntriesOf(first).hasSize(3);
  }

  @Test
  void sourceRemoved_itsSlotIsNotReused() {
    var first = claim("former");

    assertThat(claim("new").get("new")).isGreaterThan(first.get("former"));
  }

  @Test
  void sameNameUnderAnotherPrefix_isAnotherSource() {
    var other = SourceSlot.newBuilder().setSource("a").setPrefix(SharedBroker.freshPrefix()).build();

    assertThat(claim(Stream.of(other)).get("a")).isNotEqualTo(claim("a").get("a"));
  }

  @Test
  void severalClaimAtOnce_allAgree() {
    var claims = Stream.of(List.of("a", "b", "c"), List.of("c", "b", "d"), List.of("d", "a"))
        .map(names -> CompletableFuture.supplyAsync(() -> claim(names.toArray(String[]::new))))
        .toList();

    var agreed = new HashMap<String, Integer>();
    claims.forEach(claim -> claim.join()
        .forEach((name, slot) -> assertThat(agreed.merge(name, slot, (one, other) -> one)).as(name).isEqualTo(slot)));
    assertThat(agreed.values()).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void environmentWithItsOwnPrefix_hasSlotsOfItsOwn() {
    claim("a", "b");

    var slots = claim(new ClusterTopics(prefix), Stream.of(source("b")));

    assertThat(slots).isEqualTo(Map.of("b", 0));
  }

  private Map<String, Integer> claim(String... names) {
    return claim(Stream.of(names).map(this::source));
  }

  private SourceSlot source(String name) {
    return SourceSlot.newBuilder().setSource(name).setPrefix(prefix).build();
  }

  private static Map<String, Integer> claim(Stream<SourceSlot> sources) {
    return claim(ClusterTopics.UNPREFIXED, sources);
  }

  private static Map<String, Integer> claim(ClusterTopics topics, Stream<SourceSlot> sources) {
    var registry = new BuiltInRegistry(List.of(topics.sources()));
    var slots = new HashMap<String, Integer>();
    SourceSlots.claim(sources.toList(), TestSource.KAFKA, topics, registry, (short) 1)
        .forEach(slot -> slots.put(slot.getSource(), slot.getSlot()));
    return slots;
  }
}
