package io.tidemark.serve.feed;

import io.tidemark.event.ResourceKey;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request of a reader to follow one topic, or several topics in one stream.
 *
 * @param lastEvent the id of the last event that the reader has received; null if the reader connects for the first
 *     time
 * @param hasStatus whether the stream also contains the status of the server
 */
public record FeedRequest(List<TopicRequest> topics, @Nullable String lastEvent, boolean hasStatus) {

  /** Maximum number of topics in one stream. All views of the page together follow 30 topics. */
  static final int MOST_TOPICS = 40;

  private static final int MOST_KEYS = 1_000;

  public FeedRequest {
    topics = List.copyOf(topics);
  }

  /**
   * The part of a request that concerns one topic.
   *
   * @param topic name of the topic, with or without its prefix, such as {@code pool.changes}
   * @param keys accepted keys; empty for all. A concurrent set may change while the feed is open
   * @param network accepted network; null for all
   * @param facets facets of which at least one must have changed; empty for all
   * @param where a condition in CEL; null for none
   * @param from position at which reading starts if the request has no last event, or the last event has no offsets
   *     of the topic
   */
  public record TopicRequest(String topic, Set<String> keys, @Nullable String network, Set<String> facets,
      @Nullable String where, StartPosition from) {}

  /**
   * Parses the parameters of a URL. A parameter applies to all topics. If {@link FeedParameter#isOfTopic} is true for
   * it, a dot and a topic's name may be appended, as in {@code from.pool.changes=10m}; this value replaces the
   * general value for that topic.
   *
   * @param topic the topic in the path; null if the path names no topic and the parameters name the topics
   * @param lastEvent value of the header {@code Last-Event-ID}; null or empty if it was not sent, in which case the
   *     parameter {@code last-event-id} is used
   * @throws FeedRefusal if a parameter is unknown or has an invalid value
   */
  public static FeedRequest parse(@Nullable String topic, Map<String, List<String>> parameters,
      @Nullable String lastEvent, InstantSource clock) {
    var named = parameters.getOrDefault(FeedParameter.TOPIC.wire(), List.of());
    if (topic != null && !named.isEmpty()) {
      throw FeedRefusal.badRequest(
          "topic: the path already names a topic; for several topics use /v1/feeds?topic=...&topic=...");
    }
    var topics = topic == null ? named : List.of(topic);
    if (topics.isEmpty() || topics.size() > MOST_TOPICS || new HashSet<>(topics).size() < topics.size()) {
      throw FeedRefusal.badRequest("topic: name 1 to " + MOST_TOPICS + " topics, each once");
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
      throw FeedRefusal.badRequest("unknown parameter; a feed has the parameters "
          + Arrays.stream(FeedParameter.values()).map(FeedParameter::wire).collect(Collectors.joining(", "))
          + ", and no other");
    }
    if (dot >= 0 && !topics.contains(name.substring(dot + 1))) {
      throw FeedRefusal.badRequest(
          name + ": the part after the dot must be the name of a requested topic, spelled as in the request");
    }
  }

  /** The values of the parameters for one topic, or the general values if {@code topic} is empty. */
  private record ParameterValues(Map<String, List<String>> parameters, String topic) {

    TopicRequest request(InstantSource clock) {
      var keys = all(FeedParameter.KEY).stream().map(ResourceKey::canonical).collect(Collectors.toUnmodifiableSet());
      if (keys.size() > MOST_KEYS) {
        throw FeedRefusal.badRequest("key: a feed accepts at most " + MOST_KEYS + " keys");
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
        throw FeedRefusal.badRequest(parameter.wire() + ": may be given only once");
      }
      return values.isEmpty() || values.getFirst().isEmpty() ? null : values.getFirst();
    }

    boolean isTrue(FeedParameter parameter) {
      return switch (only(parameter)) {
        case null -> false;
        case "false" -> false;
        case "true" -> true;
        default -> throw FeedRefusal.badRequest(parameter.wire() + ": must be true or false");
      };
    }

    private static StartPosition from(@Nullable String text, InstantSource clock) {
      if (text == null) {
        return new StartPosition.End();
      }
      try {
        return StartPosition.parse(text, clock);
      } catch (IllegalArgumentException e) {
        throw FeedRefusal.badRequest("from: must be beginning, now, a past time such as 2026-03-10T12:00:00Z, or a"
            + " duration before now, such as 24h");
      }
    }
  }
}
