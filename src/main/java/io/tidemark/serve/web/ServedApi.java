package io.tidemark.serve.web;

import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Topics;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API that an instance serves, for its documents.
 *
 * @param version version of the program
 * @param sources in the order of the configuration
 * @param ofCluster the topics that belong to no source
 * @param naming naming of attributes in the mirror's responses
 * @param hasRegistry whether the instance serves the built-in registry
 * @param management address and port of health and metrics; null if they are not served
 * @param client configuration that all clients of the cluster share; the documents show its address and protocol
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
