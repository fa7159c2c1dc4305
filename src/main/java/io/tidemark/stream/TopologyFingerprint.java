package io.tidemark.stream;

import io.tidemark.event.Sha256;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Source;

/**
 * A hash of everything that instances must have in common to share the partitions of an application: the nodes and
 * stores of the topology, and the format of the stores' contents with their schemas, of which only what decides the
 * encoding counts.
 */
final class TopologyFingerprint {

  private TopologyFingerprint() {}

  /** Returns the fingerprint as 16 hexadecimal digits. */
  static String of(Topology topology, Collection<Schema> stored) {
    var nodes = topology.describe().subtopologies().stream()
        .flatMap(part -> part.nodes().stream().map(node -> part.id() + " " + describe(node)));
    var schemas = stored.stream().map(SchemaNormalization::toParsingForm);
    var all = Stream.concat(nodes, schemas).sorted().collect(Collectors.joining("\n"));
    return Sha256.hex(StoreFormatCheck.VERSION + "\n" + all).substring(0, 16);
  }

  /** The sets in the description are sorted, because Kafka lists their elements in any order. */
  private static String describe(Node node) {
    var next = node.successors().stream().map(Node::name).collect(Collectors.toCollection(TreeSet::new));
    Set<String> used = switch (node) {
      case Source source -> source.topicSet();
      case Processor processor -> processor.stores();
      default -> Set.of();
    };
    return node.name() + " " + new TreeSet<>(used) + " " + next;
  }
}
