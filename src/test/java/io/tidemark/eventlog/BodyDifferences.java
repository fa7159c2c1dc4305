package io.tidemark.eventlog;

import io.tidemark.eventlog.ObservedResource.Ref;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The differences between successive bodies, one line for each attribute that differs. */
final class BodyDifferences {
  private final Map<Ref, Map<String, Map<String, Object>>> known = new HashMap<>();
  private final List<String> lines = new ArrayList<>();

  /** Resources that the newest body lacks and the one before had; they are removed if the next lacks them too. */
  private final Set<Ref> missing = new HashSet<>();

  private BodyDifferences() {}

  /** Returns the differences between the successive answers to one query. */
  static List<String> of(String url, List<String> bodies) {
    var differences = new BodyDifferences();
    for (int number = 1; number <= bodies.size(); number++) {
      differences.compare(number, ParsedBody.read(url, bodies.get(number - 1).getBytes(StandardCharsets.UTF_8), null));
    }
    return differences.lines.stream().sorted().toList();
  }

  private void compare(int number, ParsedBody page) {
    var lacking = new HashSet<>(known.keySet());
    for (ObservedResource each : page.observations) {
      lacking.remove(each.ref());
      var facets = known.computeIfAbsent(each.ref(), any -> new HashMap<>());
      each.facets().forEach((facet, observed) -> {
        Map<String, Object> before = facets.getOrDefault(facet, Map.of());
        facets.put(facet, observed.over(before));
        lines.addAll(lines(number, each.ref(), facet, before, observed.over(before)));
      });
    }
    var removed = lacking.stream().filter(missing::contains).toList();
    removed.forEach(ref -> lines.add(line(number, ref, "removed")));
    removed.forEach(known::remove);
    missing.clear();
    missing.addAll(lacking);
  }

  /** Returns the contents of changes in the same form; the number is that of the snapshot. */
  static List<String> of(List<RecordedChange> changes) {
    var lines = new ArrayList<String>();
    for (RecordedChange change : changes) {
      int number = (int) change.origin().getSnapshot();
      change.facets()
          .forEach((facet, each) -> lines.addAll(lines(number, change.ref(), facet, each.before(), each.after())));
      if (change.part("removed") != null) {
        lines.add(line(number, change.ref(), "removed"));
      }
    }
    return lines.stream().sorted().toList();
  }

  private static List<String> lines(
      int number, Ref ref, String facet, Map<String, Object> before, Map<String, Object> after) {
    var lines = new ArrayList<String>();
    var names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      Object old = before.getOrDefault(name, "null");
      Object now = after.getOrDefault(name, "null");
      if (!old.equals(now)) {
        lines.add(line(number, ref, facet + "." + name + ": " + old + " -> " + now));
      }
    }
    return lines;
  }

  private static String line(int number, Ref ref, String what) {
    return "snapshot %d, %s %s, %s".formatted(number, ref.resource(), ref.key(), what);
  }
}
