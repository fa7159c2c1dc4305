package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.StoreFormat;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.stream.StoreFormatCheck.UnknownStoreFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** Versions of the program, each with its stores, which start on what the version before left. */
class StoreFormatCheckTest {

  private final Map<String, KeyValueStore<String, String>> left = new HashMap<>();
  private final KeyValueStore<String, StoreFormat> formats = new CountingStore<>("format");

  @Test
  void firstStart_recordsTheFormat() {
    start("a", "b");

    assertThat(formats.get("format")).isEqualTo(new StoreFormat(StoreFormatCheck.VERSION, List.of("a", "b")));
  }

  @Test
  void nextStart_keepsAllStores() {
    start("a", "b");
    left.get("a").put("key", "value");

    start("a", "b");

    assertThat(left.get("a").get("key")).isEqualTo("value");
  }

  @Test
  void storeThatTheVersionBeforeDidNotHave_isEmptied() {
    start("a", "b");
    left.values().forEach(store -> store.put("key", "value"));
    start("a");

    start("a", "b");

    assertThat(left.get("a").get("key")).isEqualTo("value");
    assertThat(left.get("b").get("key")).isNull();
  }

  @Test
  void otherFormat_isRefusedWithWhatToDo_andStaysAsItIs() {
    var other = new StoreFormat(StoreFormatCheck.VERSION + 1, List.of("a"));
    formats.put("format", other);

    assertThatThrownBy(() -> start("a", "b"))
        .isInstanceOf(UnknownStoreFormat.class)
        .hasMessage(
            "task 0_0: the task's stores in Kafka have format 2, but this version of the program can use format 1 only."
                + " Start the version that wrote the stores, or remake them: see \"Upgrades\" in"
                + " docs/running/operations.md");
    assertThat(formats.get("format")).isEqualTo(other);
  }

  private void start(String... names) {
    var context = new MockProcessorContext<Void, Void>();
    context.addStateStore(formats);
    Stream.of(names).forEach(name -> context.addStateStore(left.computeIfAbsent(name, CountingStore::new)));
    Set<StoreBuilder<?>> stores = Stream.of(names).map(StoreFormatCheckTest::builder).collect(Collectors.toSet());
    new StoreFormatCheck("format", stores, new BuiltInRegistry(List.of())).check(context);
  }

  private static StoreBuilder<?> builder(String name) {
    return Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.String());
  }
}
