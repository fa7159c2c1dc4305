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

/** All bodies that were served, and what they say: read as plain JSON, with nothing of the program. */
final class ServedBodies {

  /** What one answer said, and when. */
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
    return bodies(query).stream().filter(look -> look.at().isBefore(before)).reduce((one, next) -> next).get().body();
  }

  /** The pools of a list: what each look at each of them showed, by time. */
  Map<String, NavigableMap<Instant, JsonNode>> pools(Query<?> query) {
    var pools = new TreeMap<String, NavigableMap<Instant, JsonNode>>();
    for (var look : bodies(query)) {
      each(look.body().get("data")).forEach(pool -> pools
          .computeIfAbsent(pool.get("id").asText(), id -> new TreeMap<>()).put(look.at(), pool.get("attributes")));
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
