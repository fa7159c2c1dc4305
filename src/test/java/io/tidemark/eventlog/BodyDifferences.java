package io.tidemark.eventlog;

import io.tidemark.eventlog.ObservedResource.Ref;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** How one body differs from the next, attribute for attribute: a plain comparison, a line for each. */
final class BodyDifferences {
  private final Map<Ref, Map<String, Map<String, Object>>> known = new HashMap<>();
  private final List<String> lines = new ArrayList<>();

  private BodyDifferences() {}

  /** The differences of the bodies that one question was answered with, one after the other. */
  static List<String> of(String url, List<String> bodies) {
    var differences = new BodyDifferences();
    for (int turn = 1; turn <= bodies.size(); turn++) {
      differences.compare(turn, ParsedBody.read(url, bodies.get(turn - 1).getBytes(StandardCharsets.UTF_8), null));
    }
    return differences.lines.stream().sorted().toList();
  }

  private void compare(int turn, ParsedBody page) {
    var gone = new HashSet<>(known.keySet());
    for (ObservedResource each : page.observations) {
      gone.remove(each.ref());
      var facets = known.computeIfAbsent(each.ref(), any -> new HashMap<>());
      each.facets().forEach((facet, observed) -> {
        Map<String, Object> before = facets.getOrDefault(facet, Map.of());
        facets.put(facet, observed.over(before));
        lines.addAll(lines(turn, each.ref(), facet, before, observed.over(before)));
      });
    }
    gone.forEach(ref -> lines.add(line(turn, ref, "removed")));
    gone.forEach(known::remove);
  }

  /** What changes say, in the same words; the number of the sweep is the turn. */
  static List<String> of(List<RecordedChange> changes) {
    var lines = new ArrayList<String>();
    for (RecordedChange change : changes) {
      int turn = (int) change.origin().getSnapshot();
      change.facets()
          .forEach((facet, each) -> lines.addAll(lines(turn, change.ref(), facet, each.before(), each.after())));
      if (change.part("removed") != null) {
        lines.add(line(turn, change.ref(), "removed"));
      }
    }
    return lines.stream().sorted().toList();
  }

  private static List<String> lines(
      int turn, Ref ref, String facet, Map<String, Object> before, Map<String, Object> after) {
    var lines = new ArrayList<String>();
    var names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      Object old = before.getOrDefault(name, "null");
      Object now = after.getOrDefault(name, "null");
      if (!old.equals(now)) {
        lines.add(line(turn, ref, facet + "." + name + ": " + old + " -> " + now));
      }
    }
    return lines;
  }

  private static String line(int turn, Ref ref, String what) {
    return "look %d, %s %s, %s".formatted(turn, ref.resource(), ref.key(), what);
  }
}
