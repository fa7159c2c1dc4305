package io.tidemark.app.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

/**
 * Attributes that the service sends but the interface document does not name. Logs each attribute once, and counts
 * the attributes by kind of resource, up to {@link #MOST} of each kind.
 */
final class UndocumentedAttributes {

  private static final Logger LOG = LoggerFactory.getLogger(UndocumentedAttributes.class);
  private static final int MOST = 200;

  private final ObjectMapper json = new ObjectMapper();
  private final String source;
  private final MeterFactory meters;
  private final Map<String, Set<String>> names = new HashMap<>();

  UndocumentedAttributes(String source, MeterFactory meters) {
    this.source = source;
    this.meters = meters;
  }

  /** Registers the gauges of the given resources. */
  void registerAtZero(Collection<String> resources) {
    resources.forEach(resource -> names.computeIfAbsent(resource, this::counted));
  }

  /** Logs and counts the undocumented attributes in a committed change. Must always be called by the same thread. */
  void committed(String resource, SpecificRecord change) {
    var field = change.getSchema().getField("extra");
    if (field != null && change.get(field.pos()) instanceof ExtraChange extra && extra.getAfter() != null) {
      var text = extra.getAfter().getJson();
      var known = names.computeIfAbsent(resource, this::counted);
      (text == null ? Set.<String>of() : names(text)).stream()
          .filter(name -> known.size() < MOST && known.add(name))
          .forEach(name -> LOG.info(
              "source {}: a {} has the attribute {}, which the interface document does not name; the facet 'extra'"
                  + " keeps the attribute as JSON",
              source, resource, name));
    }
  }

  private Set<String> counted(String resource) {
    var known = new ConcurrentSkipListSet<String>();
    meters.with("resource", resource).gauge("tidemark.undocumented.attributes",
        "Undocumented attributes that the service sent since this process started; at most 200.", known::size);
    return known;
  }

  /**
   * Returns the names of the members of a JSON object. A member that is a non-empty object is replaced by its own
   * members, whose names contain the path, joined by dots. Returns an empty set if the text is not JSON.
   */
  private Set<String> names(String text) {
    var found = new TreeSet<String>();
    try {
      collect("", json.readTree(text), found);
    } catch (JsonProcessingException e) {
      LOG.debug("source {}: the facet extra holds no JSON", source, e);
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
