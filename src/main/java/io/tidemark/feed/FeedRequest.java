package io.tidemark.feed;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a reader asks for: one topic, or several in one stream.
 *
 * @param lastEvent the id of the last event that the reader has; null at its first request
 * @param hasStatus whether the stream also has the status of the server
 */
public record FeedRequest(List<TopicRequest> topics, @Nullable String lastEvent, boolean hasStatus) {

  /** Topics of one stream: all that the views of the page follow are 30. */
  static final int MOST_TOPICS = 40;

  private static final int MOST_KEYS = 1_000;

  public FeedRequest {
    topics = List.copyOf(topics);
  }

  /**
   * What a reader wants of one topic.
   *
   * @param topic with its prefix or without it, such as {@code pool.changes}
   * @param keys empty for all
   * @param facets empty for all
   * @param where a condition in CEL; null for none
   * @param from where reading starts, unless there is a last event
   */
  public record TopicRequest(String topic, Set<String> keys, @Nullable String network, Set<String> facets,
      @Nullable String where, StartPosition from) {}

  /**
   * Reads the parameters of a URL. A parameter holds for all topics; with a dot and the name of a topic behind it, for
   * that topic instead: {@code from.pool.changes=10m}.
   *
   * @param topic of the path; null where the parameters name the topics
   * @param lastEvent the header; null or empty where it was not sent
   * @throws FeedRefusal if there is an unknown one, or a bad value
   */
  public static FeedRequest parse(@Nullable String topic, Map<String, List<String>> parameters,
      @Nullable String lastEvent, InstantSource clock) {
    var named = parameters.getOrDefault(FeedParameter.TOPIC.wire(), List.of());
    if (topic != null && !named.isEmpty()) {
      throw FeedRefusal.badRequest("topic: the path names it; several topics are /v1/feeds?topic=...&topic=...");
    }
    var topics = topic == null ? named : List.of(topic);
    if (topics.isEmpty() || topics.size() > MOST_TOPICS || new HashSet<>(topics).size() < topics.size()) {
      throw FeedRefusal.badRequest("topic: 1 to " + MOST_TOPICS + " of them, each once");
    }
    parameters.keySet().forEach(name -> checkName(name, topics));
    var general = new ParameterValues(parameters, "");
    return new FeedRequest(
        topics.stream().map(each -> new ParameterValues(parameters, each).request(clock)).toList(),
        lastEvent == null || lastEvent.isEmpty() ? general.only(FeedParameter.LAST_EVENT_ID) : lastEvent,
        general.isTrue(FeedParameter.STATUS));
  }

  private static void checkName(String name, List<String> topics) {
    var dot = name.indexOf('.');
    var parameter = FeedParameter.of(dot < 0 ? name : name.substring(0, dot));
    if (parameter == null || (dot >= 0 && !parameter.isOfTopic())) {
      throw FeedRefusal.badRequest("a feed has the parameters "
          + Arrays.stream(FeedParameter.values()).map(FeedParameter::wire).collect(Collectors.joining(", "))
          + ", and no other");
    }
    if (dot >= 0 && !topics.contains(name.substring(dot + 1))) {
      throw FeedRefusal.badRequest(name + ": what follows the dot is one of the topics, as the request names it");
    }
  }

  /** The values of the parameters for one topic. */
  private record ParameterValues(Map<String, List<String>> parameters, String topic) {

    TopicRequest request(InstantSource clock) {
      var keys = Set.copyOf(all(FeedParameter.KEY));
      if (keys.size() > MOST_KEYS) {
        throw FeedRefusal.badRequest("key: at most " + MOST_KEYS + " of them");
      }
      return new TopicRequest(topic, keys, only(FeedParameter.NETWORK), Set.copyOf(all(FeedParameter.FACET)),
          only(FeedParameter.WHERE), from(only(FeedParameter.FROM), clock));
    }

    private List<String> all(FeedParameter parameter) {
      var general = parameters.getOrDefault(parameter.wire(), List.of());
      return parameters.getOrDefault(parameter.wire() + "." + topic, general);
    }

    private @Nullable String only(FeedParameter parameter) {
      var values = all(parameter);
      if (values.size() > 1) {
        throw FeedRefusal.badRequest(parameter.wire() + ": once at most");
      }
      return values.isEmpty() || values.getFirst().isEmpty() ? null : values.getFirst();
    }

    boolean isTrue(FeedParameter parameter) {
      return switch (only(parameter)) {
        case null -> false;
        case "false" -> false;
        case "true" -> true;
        default -> throw FeedRefusal.badRequest(parameter.wire() + ": true or false");
      };
    }

    private static StartPosition from(@Nullable String text, InstantSource clock) {
      if (text == null) {
        return new StartPosition.End();
      }
      try {
        return StartPosition.parse(text, clock);
      } catch (IllegalArgumentException e) {
        throw FeedRefusal.badRequest("from: beginning, now, a past time such as 2026-03-10T12:00:00Z, or how long ago,"
            + " such as 24h");
      }
    }
  }
}
