package io.tidemark.stream.alert;

import io.tidemark.event.PoolAbout;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a pool must have for anyone to be told of it.
 *
 * @param networks the networks to tell of; empty: all
 * @param minimumReserveUsd a pool with less, or of unknown reserve, is passed over
 */
public record Floors(Set<String> networks, double minimumReserveUsd) {

  public Floors {
    networks = Set.copyOf(networks);
    if (!(minimumReserveUsd >= 0)) {
      throw new IllegalArgumentException("minimum-reserve-usd: at least 0, not " + minimumReserveUsd);
    }
  }

  static Floors of(double minimumReserveUsd) {
    return new Floors(Set.of(), minimumReserveUsd);
  }

  boolean met(@Nullable String network, PoolAbout about) {
    var reserve = about.getReserveUsd();
    return isWatched(network) && reserve != null && reserve >= minimumReserveUsd;
  }

  boolean isWatched(@Nullable String network) {
    return networks.isEmpty() || (network != null && networks.contains(network));
  }
}
