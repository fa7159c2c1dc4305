package io.tidemark.serve.web;

import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Topics;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A description of the API that an instance serves, from which the API's documents are made.
 *
 * @param version version of the program
 * @param sources the sources, in the order of the configuration
 * @param ofCluster the topics that belong to no source
 * @param naming how attributes are named in the mirror's responses
 * @param hasRegistry whether the instance serves the built-in registry
 * @param management address and port of health and metrics; null if they are not served
 * @param client configuration that all Kafka clients share; the documents show the address and the protocol in it
 */
public record ServedApi(String version, List<ServedSource> sources, ClusterTopics ofCluster, FieldNaming naming,
    boolean hasRegistry,
    @Nullable String management, Map<String, Object> client) {

  public ServedApi {
    sources = List.copyOf(sources);
    client = Map.copyOf(client);
  }

  /** A source and its topics. */
  public record ServedSource(String name, Topics topics) {}

  ServedSource first() {
    return sources.getFirst();
  }
}
