package io.tidemark.market;

import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The envelope of on-chain answers; {@code included} is null where no related resources were asked for. */
public record OnChainAnswer<A>(A data, @Nullable Included included) {
  /** The related resources of an on-chain answer; {@code others} holds the type of each undocumented one. */
  public record Included(List<Observation<Pool>> pools, List<Observation<Token>> tokens, List<Dex> dexes,
      List<String> others) {
    public Included {
      pools = List.copyOf(pools);
      tokens = List.copyOf(tokens);
      dexes = List.copyOf(dexes);
      others = List.copyOf(others);
    }
  }

  /** A decentralised exchange; its id has no network prefix. */
  public record Dex(String id, @Nullable String name) {}
}
