package io.tidemark.feed;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a reader asks for.
 *
 * @param topic without prefix, such as {@code pool.changes}
 * @param keys empty for all
 * @param facets empty for all
 * @param where a condition in CEL; null for none
 * @param from where reading starts, unless there is a last event
 * @param lastEvent the id of the last event that the reader has; null at its first request
 */
public record FeedRequest(
    String topic, Set<String> keys, @Nullable String network, Set<String> facets, @Nullable String where,
    StartPosition from, @Nullable String lastEvent) {

  private static final Set<String> PARAMETERS =
      new TreeSet<>(Set.of("key", "network", "facet", "where", "from", "source", "last-event-id"));
  private static final int MOST_KEYS = 1_000;

  /**
   * Reads the parameters of a URL.
   *
   * @param lastEvent the header; null or empty where it was not sent
   * @throws FeedRefusal if there is an unknown one, or a bad value
   */
  public static FeedRequest parse(
      String topic, Map<String, List<String>> parameters, @Nullable String lastEvent, InstantSource clock) {
    parameters.keySet().stream().filter(name -> !PARAMETERS.contains(name)).findFirst().ifPresent(name -> {
      throw FeedRefusal.badRequest("a feed has the parameters " + String.join(", ", PARAMETERS) + ", and no other");
    });
    var keys = Set.copyOf(parameters.getOrDefault("key", List.of()));
    if (keys.size() > MOST_KEYS) {
      throw FeedRefusal.badRequest("key: at most " + MOST_KEYS + " of them");
    }
    var header = lastEvent == null || lastEvent.isEmpty() ? only(parameters, "last-event-id") : lastEvent;
    return new FeedRequest(topic, keys, only(parameters, "network"),
        Set.copyOf(parameters.getOrDefault("facet", List.of())), only(parameters, "where"),
        from(only(parameters, "from"), clock), header);
  }

  private static @Nullable String only(Map<String, List<String>> parameters, String name) {
    var values = parameters.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw FeedRefusal.badRequest(name + ": once at most");
    }
    return values.isEmpty() || values.getFirst().isEmpty() ? null : values.getFirst();
  }

  private static StartPosition from(@Nullable String text, InstantSource clock) {
    if (text == null) {
      return new StartPosition.End();
    }
    try {
      return StartPosition.parse(text, clock);
    } catch (IllegalArgumentException e) {
      throw FeedRefusal.badRequest("from: beginning, now, a time such as 2026-03-10T12:00:00Z, or how long ago,"
          + " such as 24h");
    }
  }
}
