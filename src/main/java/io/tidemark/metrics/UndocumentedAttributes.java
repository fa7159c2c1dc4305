package io.tidemark.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.event.ExtraChange;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Attributes that the service sends and nobody documented: logged once each, counted by resource. */
final class UndocumentedAttributes {

  private static final Logger LOG = LoggerFactory.getLogger(UndocumentedAttributes.class);
  private static final int MOST = 200;

  private final ObjectMapper json = new ObjectMapper();
  private final String source;
  private final MeterRegistry registry;
  private final Map<String, Set<String>> names = new HashMap<>();

  UndocumentedAttributes(String source, MeterRegistry registry) {
    this.source = source;
    this.registry = registry;
  }

  /** Is there at 0 for each of these. */
  void registerAtZero(Collection<String> resources) {
    resources.forEach(resource -> names.computeIfAbsent(resource, this::counted));
  }

  /** Looks at what a change says of them; on one thread. */
  void committed(String resource, SpecificRecord change) {
    var field = change.getSchema().getField("extra");
    if (field != null && change.get(field.pos()) instanceof ExtraChange extra && extra.getAfter() != null) {
      var text = extra.getAfter().getJson();
      note(resource, text == null ? Set.of() : names(text));
    }
  }

  private void note(String resource, Set<String> found) {
    var known = names.computeIfAbsent(resource, this::counted);
    for (var name : found) {
      if (known.size() < MOST && known.add(name)) {
        LOG.info("source {}: {} has an attribute that nobody documented: {}; kept as it came in the facet extra",
            source, resource, name);
      }
    }
  }

  private Set<String> counted(String resource) {
    var known = new ConcurrentSkipListSet<String>();
    Gauge.builder("tidemark.undocumented.attributes", known, Set::size)
        .description("Attributes that the service sent since this process began and nobody documented; at most 200.")
        .tag("source", source)
        .tag("resource", resource)
        .register(registry);
    return known;
  }

  /** Names of members, those of members of members with a dot. */
  private Set<String> names(String text) {
    var found = new TreeSet<String>();
    try {
      collect("", json.readTree(text), found);
    } catch (JsonProcessingException e) {
      LOG.debug("source {}: not JSON in extra", source, e);
    }
    return found;
  }

  private static void collect(String path, JsonNode node, Set<String> found) {
    for (var member : node.properties()) {
      if (member.getValue().isObject() && !member.getValue().isEmpty()) {
        collect(path + member.getKey() + ".", member.getValue(), found);
      } else {
        found.add(path + member.getKey());
      }
    }
  }
}
