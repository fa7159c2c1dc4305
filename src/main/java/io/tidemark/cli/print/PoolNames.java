package io.tidemark.cli.print;

import io.tidemark.event.Entered;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.RankingChange;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The names of the pools of the newest records, by their ids: changes of lists do not repeat them. Not thread-safe. */
final class PoolNames {

  private static final int MOST = 20_000;

  private final Map<String, String> names = new LinkedHashMap<>(16, 0.75F, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
      return size() > MOST;
    }
  };

  void learn(@Nullable SpecificRecord value) {
    switch (value) {
      case PoolChange change -> add(change.getId(), change.getAbout().getName());
      case PoolListing listing -> add(listing.getPool(), listing.getAbout().getName());
      case RankingChange ranking when ranking.getOrder() != null -> ranking.getOrder().getEntered().forEach(this::add);
      case null, default -> {
        // names no pool
      }
    }
  }

  @Nullable
  String find(String id) {
    return names.get(id);
  }

  private void add(Entered entered) {
    add(entered.getPool(), entered.getAbout().getName());
  }

  private void add(String id, @Nullable String name) {
    if (name != null && !name.isBlank()) {
      names.put(id, name);
    }
  }
}
