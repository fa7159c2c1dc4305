package io.tidemark.kafka;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A topic that has to exist before the program starts, if the program may not create topics.
 *
 * @param config settings with which the program would create the topic, sorted by name; all other settings are the broker's
 *     defaults
 */
public record RequiredTopic(String name, int partitions, short replication, Map<String, String> config) {

  public RequiredTopic {
    config = Collections.unmodifiableMap(new TreeMap<>(config));
  }

  public static RequiredTopic of(Topic<?> topic, int partitions, short replication) {
    return new RequiredTopic(topic.name(), partitions, replication, topic.config());
  }
}
