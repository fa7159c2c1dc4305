package io.tidemark.simulator;

import java.util.List;
import java.util.Locale;

/** What strangers call their tokens. */
final class Names {
  private static final double SHARE_OF_HOSTILE = 0.3;
  private static final List<String> FIRST = List.of(
      "Baby", "Based", "Cosmic", "Dark", "Electric", "Fluffy", "Giga", "Happy", "Instant", "Jumping", "Kind", "Lucky",
      "Mega", "Neon", "Orbital", "Purple", "Quantum", "Rocket", "Sleepy", "Turbo", "Ultra", "Velvet", "Wild", "Zen");
  private static final List<String> SECOND = List.of(
      "Ape", "Badger", "Cat", "Doge", "Eel", "Frog", "Goat", "Hamster", "Ibex", "Jaguar", "Koala", "Llama", "Moose",
      "Newt", "Otter", "Penguin", "Quokka", "Raccoon", "Shark", "Toad", "Unicorn", "Viper", "Wombat", "Yak");
  private static final List<String> LAST = List.of("", "", "", " Inu", " AI", " 2.0", " DAO", " Cash");

  private final boolean dirty;

  Names(Scenario scenario) {
    this.dirty = scenario == Scenario.DIRTY_DATA;
  }

  /** Name and symbol. */
  record Name(String name, String symbol) {}

  Name of(Noise noise) {
    if (dirty && noise.chance(SHARE_OF_HOSTILE, 3)) {
      return noise.pick(HostileNames.ALL, 4);
    }
    String second = noise.pick(SECOND, 1);
    String name = noise.pick(FIRST, 0) + " " + second + noise.pick(LAST, 2);
    boolean initials = noise.chance(0.3, 5);
    String symbol = initials ? name.charAt(0) + second : second;
    return new Name(name, symbol.toUpperCase(Locale.ROOT));
  }
}
