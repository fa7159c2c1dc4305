package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.http.Node.Branch;
import io.tidemark.http.Node.Fixed;
import io.tidemark.http.Node.Keyed;
import io.tidemark.http.Node.Leaf;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Reads one resource. What has no place, or cannot be read as what is due there, is kept as it is, never lost. */
final class ShapeReader<R extends SpecificRecord> {
  private final JsonParser in;
  private final Found<R> found;
  private final Deque<String> path = new ArrayDeque<>();

  ShapeReader(JsonParser in, R blank) {
    this.in = in;
    this.found = new Found<>(blank);
  }

  /** @param aside members of the root that are no attributes */
  Found<R> read(Branch root, Shape.Aside aside) throws IOException {
    Json.members(in, name -> {
      if (!aside.read(name, in)) {
        member(name, root.byName().get(name));
      }
    });
    return found;
  }

  private void branch(Branch branch) throws IOException {
    if (branch.way() != null) {
      branch.way().make(found.resource());
    }
    Json.members(in, name -> member(name, branch.byName().get(name)));
  }

  private void member(String name, @Nullable Node node) throws IOException {
    path.addLast(name);
    switch (node) {
      case null -> keep();
      case Fixed fixed -> in.skipChildren();
      case Leaf leaf when in.hasToken(JsonToken.VALUE_NULL) -> setNull(leaf);
      case Leaf leaf when isSet(leaf) -> keep();
      case Leaf leaf -> set(leaf, leaf.slot(), leaf.kind().read(in));
      case Keyed keyed when in.hasToken(JsonToken.START_OBJECT) -> keyed(keyed);
      case Branch branch when in.hasToken(JsonToken.START_OBJECT) -> branch(branch);
      case Keyed keyed -> set(keyed, keyed.slot(), null);
      case Branch branch -> keepAsNull(branch);
    }
    path.removeLast();
  }

  private void keyed(Keyed keyed) throws IOException {
    var map = new LinkedHashMap<String, @Nullable Object>();
    Json.members(in, name -> {
      path.addLast(name);
      var value = in.hasToken(JsonToken.VALUE_NULL) ? null : keyed.kind().read(in);
      if (value == null && !in.hasToken(JsonToken.VALUE_NULL)) {
        keep();
      }
      map.put(name, value);
      path.removeLast();
    });
    keyed.slot().set(found.resource(), map);
  }

  private void set(Node node, Node.Slot slot, @Nullable Object value) throws IOException {
    if (value == null) {
      keepAsNull(node);
    } else {
      slot.set(found.resource(), value);
    }
  }

  /** A second name for one attribute: the first counts. */
  private boolean isSet(Leaf leaf) {
    return found.nulls().contains(leaf.path()) || leaf.slot().get(found.resource()) != null;
  }

  private void keepAsNull(Node node) throws IOException {
    if (!in.hasToken(JsonToken.VALUE_NULL)) {
      keep();
    }
    setNull(node);
  }

  private void setNull(Node node) {
    node.paths().forEach(found.nulls()::add);
  }

  private void keep() throws IOException {
    found.extra().put(List.copyOf(path), JsonValue.read(in));
  }
}
