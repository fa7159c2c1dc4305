package io.tidemark.market;

import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The envelope of on-chain answers; included is null where nothing was included. */
public record OnChainAnswer<A>(A data, @Nullable Included included) {
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

  /** A decentralised exchange, as pools name it; its id has no network in front. */
  public record Dex(String id, @Nullable String name) {}
}
