package io.tidemark.stream.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.market.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/** All bodies that were served, read as plain JSON without any code of the program. */
final class ServedBodies {

  /** The body of one answer, and its time. */
  record ServedBody(Instant at, JsonNode body) {}

  private final Map<Query<?>, List<ServedBody>> bodies = new LinkedHashMap<>();

  void add(Query<?> query, Instant at, JsonNode body) {
    bodies.computeIfAbsent(query, each -> new ArrayList<>()).add(new ServedBody(at, body));
  }

  List<ServedBody> bodies(Query<?> query) {
    return bodies.get(query);
  }

  /** The last body served before a time. */
  JsonNode last(Query<?> query, Instant before) {
    return bodies(query).stream().filter(body -> body.at().isBefore(before)).reduce((one, next) -> next).get().body();
  }

  /** The pools of a list: the attributes in each body, by time. */
  Map<String, NavigableMap<Instant, JsonNode>> pools(Query<?> query) {
    var pools = new TreeMap<String, NavigableMap<Instant, JsonNode>>();
    for (var body : bodies(query)) {
      each(body.body().get("data")).forEach(pool -> pools
          .computeIfAbsent(pool.get("id").asText(), id -> new TreeMap<>()).put(body.at(), pool.get("attributes")));
    }
    return pools;
  }

  static List<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  /** A figure, whether sent as text or as a number. */
  static double number(JsonNode node) {
    return Double.parseDouble(node.asText());
  }
}
