package io.tidemark.simulator.pool;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/** A search text: an address, or words that all stand in the names or symbols of a pool's tokens. */
record SearchText(String text) {
  SearchText {
    text = text.strip().toLowerCase(Locale.ROOT);
  }

  boolean finds(SimulatedPool pool) {
    return !text.isEmpty() && (addressed(pool) || words().allMatch(word -> named(pool, word)));
  }

  private Stream<String> words() {
    return Arrays.stream(text.split("[\\s/]+"));
  }

  private boolean addressed(SimulatedPool pool) {
    return Stream.of(pool.address(), pool.base().address(), pool.quote().address()).anyMatch(this::equal);
  }

  private boolean equal(String address) {
    return address.equalsIgnoreCase(text);
  }

  private static boolean named(SimulatedPool pool, String word) {
    return Stream.of(pool.base().name(), pool.base().symbol(), pool.quote().name(), pool.quote().symbol())
        .anyMatch(name -> name.toLowerCase(Locale.ROOT).contains(word));
  }
}
