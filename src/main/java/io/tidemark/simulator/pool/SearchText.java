package io.tidemark.simulator.pool;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/** The text of a search: an address, or terms that all occur in names or symbols of a pool's tokens. */
record SearchText(String text) {
  SearchText {
    text = text.strip().toLowerCase(Locale.ROOT);
  }

  boolean matches(SimulatedPool pool) {
    return !text.isEmpty() && (hasAddress(pool) || terms().allMatch(term -> isNamed(pool, term)));
  }

  private Stream<String> terms() {
    return Arrays.stream(text.split("[\\s/]+"));
  }

  private boolean hasAddress(SimulatedPool pool) {
    return Stream.of(pool.address(), pool.base().address(), pool.quote().address()).anyMatch(this::isAddress);
  }

  private boolean isAddress(String address) {
    return address.equalsIgnoreCase(text);
  }

  private static boolean isNamed(SimulatedPool pool, String term) {
    return Stream.of(pool.base().name(), pool.base().symbol(), pool.quote().name(), pool.quote().symbol())
        .anyMatch(name -> name.toLowerCase(Locale.ROOT).contains(term));
  }
}
