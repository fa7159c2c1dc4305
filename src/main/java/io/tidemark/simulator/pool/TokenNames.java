package io.tidemark.simulator.pool;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.generator.StatelessRandom;
import java.util.List;
import java.util.Locale;

/** What strangers call their tokens. */
public final class TokenNames {
  private static final double SHARE_OF_HOSTILE = 0.3;
  private static final List<String> FIRST = List.of(
      "Baby", "Based", "Cosmic", "Dark", "Electric", "Fluffy", "Giga", "Happy", "Instant", "Jumping", "Kind", "Lucky",
      "Mega", "Neon", "Orbital", "Purple", "Quantum", "Rocket", "Sleepy", "Turbo", "Ultra", "Velvet", "Wild", "Zen");
  private static final List<String> SECOND = List.of(
      "Ape", "Badger", "Cat", "Doge", "Eel", "Frog", "Goat", "Hamster", "Ibex", "Jaguar", "Koala", "Llama", "Moose",
      "Newt", "Otter", "Penguin", "Quokka", "Raccoon", "Shark", "Toad", "Unicorn", "Viper", "Wombat", "Yak");
  private static final List<String> LAST = List.of("", "", "", " Inu", " AI", " 2.0", " DAO", " Cash");

  private final boolean dirty;

  public TokenNames(Scenario scenario) {
    this.dirty = scenario == Scenario.DIRTY_DATA;
  }

  /** Name and symbol. */
  record Name(String name, String symbol) {}

  Name of(StatelessRandom random) {
    if (dirty && random.chance(SHARE_OF_HOSTILE, 3)) {
      return random.pick(HostileNames.ALL, 4);
    }
    String second = random.pick(SECOND, 1);
    String name = random.pick(FIRST, 0) + " " + second + random.pick(LAST, 2);
    boolean initials = random.chance(0.3, 5);
    String symbol = initials ? name.charAt(0) + second : second;
    return new Name(name, symbol.toUpperCase(Locale.ROOT));
  }
}
