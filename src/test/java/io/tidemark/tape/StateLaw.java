package io.tidemark.tape;

import io.tidemark.tape.ChainLaw.Folded;
import io.tidemark.tape.Observation.Ref;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;

/** The fold of a resource's changes is its state as emitted, attribute for attribute. */
final class StateLaw {
  private static final String LAW = "the fold of changes is the state";

  private final Consumer<Complaint> complaints;

  StateLaw(Consumer<Complaint> complaints) {
    this.complaints = complaints;
  }

  /** Compares the newest state of each resource with its fold. */
  void check(Map<Ref, SpecificRecord> states, Map<Ref, Folded> folded) {
    var refs = new HashSet<>(states.keySet());
    refs.addAll(folded.keySet());
    for (Ref ref : refs) {
      SpecificRecord state = states.get(ref);
      Folded fold = folded.get(ref);
      if (state == null || fold == null) {
        complain(ref, 0, "resource", "changes and a state", state == null ? "no state" : "no changes");
      } else {
        check(ref, state, fold);
      }
    }
  }

  private void check(Ref ref, SpecificRecord state, Folded fold) {
    same(ref, fold, "revision", fold.newest().revision(), Facts.number(state, "revision"));
    same(ref, fold, "life", fold.newest().life(), Facts.get(state, "life"));
    Map<String, Map<String, Object>> emitted = emitted(state);
    if (ref.resource().equals("ranking")) {
      same(ref, fold, Ranks.ORDER, fold.list(), Facts.texts(Facts.at(state, "known.order.entries")));
      emitted.remove(Ranks.ORDER);
    }
    var names = new TreeSet<>(emitted.keySet());
    names.addAll(fold.facets().keySet());
    for (String name : names) {
      same(ref, fold, name, fold.facets().getOrDefault(name, Map.of()), emitted.getOrDefault(name, Map.of()));
    }
  }

  /** What is known, and in place of what is held back its last emitted value. */
  private static Map<String, Map<String, Object>> emitted(SpecificRecord state) {
    var emitted = new TreeMap<>(Facts.ofResource((IndexedRecord) Facts.get(state, "known")));
    Set<String> held = new HashSet<>(Facts.texts(Facts.at(state, "said.facets")));
    held.forEach(name -> emitted.put(name, Facts.of(Facts.at(state, "said.values." + name))));
    return emitted;
  }

  private void same(Ref ref, Folded fold, String where, Object expected, Object found) {
    if (!expected.equals(found)) {
      complain(ref, fold.newest().revision(), where, expected, found);
    }
  }

  private void complain(Ref ref, long revision, String where, Object expected, Object found) {
    complaints.accept(new Complaint(LAW, ref.resource(), ref.key(), revision, where, expected, found));
  }

  /** The newest state of each key. */
  static Map<Ref, SpecificRecord> newest(Tape tape) {
    var newest = new HashMap<Ref, SpecificRecord>();
    tape.topics().resources().forEach(topics -> tape.in(topics.state()).forEach(entry -> {
      var ref = new Ref(topics.resource(), entry.key());
      if (entry.value() == null) {
        newest.remove(ref);
      } else {
        newest.put(ref, entry.value());
      }
    }));
    return newest;
  }

}
