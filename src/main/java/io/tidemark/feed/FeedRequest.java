package io.tidemark.feed;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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

  private static final int MOST_KEYS = 1_000;

  /**
   * Reads the parameters of a URL.
   *
   * @param lastEvent the header; null or empty where it was not sent
   * @throws FeedRefusal if there is an unknown one, or a bad value
   */
  public static FeedRequest parse(
      String topic, Map<String, List<String>> parameters, @Nullable String lastEvent, InstantSource clock) {
    parameters.keySet().stream().filter(name -> FeedParameter.of(name) == null).findFirst().ifPresent(name -> {
      throw FeedRefusal.badRequest("a feed has the parameters "
          + Arrays.stream(FeedParameter.values()).map(FeedParameter::wire).collect(Collectors.joining(", "))
          + ", and no other");
    });
    var keys = Set.copyOf(all(parameters, FeedParameter.KEY));
    if (keys.size() > MOST_KEYS) {
      throw FeedRefusal.badRequest("key: at most " + MOST_KEYS + " of them");
    }
    var header = lastEvent == null || lastEvent.isEmpty() ? only(parameters, FeedParameter.LAST_EVENT_ID) : lastEvent;
    return new FeedRequest(topic, keys, only(parameters, FeedParameter.NETWORK),
        Set.copyOf(all(parameters, FeedParameter.FACET)), only(parameters, FeedParameter.WHERE),
        from(only(parameters, FeedParameter.FROM), clock), header);
  }

  private static List<String> all(Map<String, List<String>> parameters, FeedParameter parameter) {
    return parameters.getOrDefault(parameter.wire(), List.of());
  }

  private static @Nullable String only(Map<String, List<String>> parameters, FeedParameter parameter) {
    var values = all(parameters, parameter);
    if (values.size() > 1) {
      throw FeedRefusal.badRequest(parameter.wire() + ": once at most");
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
