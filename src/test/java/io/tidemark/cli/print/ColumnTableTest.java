package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColumnTableTest {

  static final String POOL = "/networks/solana/pools/58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2?"
      + "include=base_token,dex,quote_token&include_composition=true&include_volume_breakdown=true";

  @Test
  void rowsThatFit_areLines() {
    var table = ColumnTable.ofFigures("target", "polls", "pools").add("/global", "18.6", "-");

    assertThat(table.lines(Terminal.of(21, false))).containsExactly("target   polls  pools", "/global   18.6      -");
  }

  @Test
  void narrowTerminal_hasTheNameOnALineOfItsOwn() {
    var table = ColumnTable.ofFigures("target", "polls", "pools").add("/global", "18.6", "-");

    assertThat(table.lines(Terminal.of(20, false)))
        .containsExactly("target", "  polls  pools", "/global", "   18.6      -");
  }

  @Test
  void name_isWhole_soThatItCanBeCopied() {
    var table = ColumnTable.ofTexts("target", "by").add(POOL, "configuration");

    assertThat(table.lines(Terminal.of(80, false))).containsExactly("target", "  by", POOL, "  configuration");
  }

  @Test
  void texts_areAlignedToTheLeft() {
    var table = ColumnTable.ofTexts("rule", "topic").add("depeg", "venues").add("price-move", "pool.changes");

    assertThat(table.lines(Terminal.of(80, false)))
        .containsExactly("rule        topic", "depeg       venues", "price-move  pool.changes");
  }
}
