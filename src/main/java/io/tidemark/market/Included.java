package io.tidemark.market;

import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import java.util.List;

/** Related resources that came along with an on-chain answer; others holds the type of each that nobody documented. */
public record Included(List<Observation<Pool>> pools, List<Observation<Token>> tokens, List<Dex> dexes,
    List<String> others) {
  public Included {
    pools = List.copyOf(pools);
    tokens = List.copyOf(tokens);
    dexes = List.copyOf(dexes);
    others = List.copyOf(others);
  }
}
