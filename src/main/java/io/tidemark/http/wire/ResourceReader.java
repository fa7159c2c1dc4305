package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.MapNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Reads one resource. What has no place, or cannot be read as what is due there, is kept as it is, never lost. */
final class ResourceReader<R extends SpecificRecord> {
  private final JsonParser in;
  private final DecodedResource<R> found;
  private final Deque<String> path = new ArrayDeque<>();

  ResourceReader(JsonParser in, R blank) {
    this.in = in;
    this.found = new DecodedResource<>(blank);
  }

  /** @param aside members of the root that are no attributes */
  DecodedResource<R> read(CompositeNode root, ResourceCodec.OtherMemberReader aside) throws IOException {
    StrictJson.members(in, name -> {
      if (!aside.read(name, in)) {
        member(name, root.byName().get(name));
      }
    });
    return found;
  }

  private void branch(CompositeNode branch) throws IOException {
    if (branch.location() != null) {
      branch.location().getOrCreate(found.resource());
    }
    StrictJson.members(in, name -> member(name, branch.byName().get(name)));
  }

  private void member(String name, @Nullable LayoutNode node) throws IOException {
    path.addLast(name);
    switch (node) {
      case null -> keep();
      case ConstantNode fixed -> in.skipChildren();
      case AttributeNode leaf when in.hasToken(JsonToken.VALUE_NULL) -> setNull(leaf);
      case AttributeNode leaf when isSet(leaf) -> keep();
      case AttributeNode leaf -> set(leaf, leaf.field(), leaf.type().read(in));
      case MapNode keyed when in.hasToken(JsonToken.START_OBJECT) -> keyed(keyed);
      case CompositeNode branch when in.hasToken(JsonToken.START_OBJECT) -> branch(branch);
      case MapNode keyed -> set(keyed, keyed.field(), null);
      case CompositeNode branch -> keepAsNull(branch);
    }
    path.removeLast();
  }

  private void keyed(MapNode keyed) throws IOException {
    var map = new LinkedHashMap<String, @Nullable Object>();
    StrictJson.members(in, name -> {
      path.addLast(name);
      var value = in.hasToken(JsonToken.VALUE_NULL) ? null : keyed.type().read(in);
      if (value == null && !in.hasToken(JsonToken.VALUE_NULL)) {
        keep();
      }
      map.put(name, value);
      path.removeLast();
    });
    keyed.field().set(found.resource(), map);
  }

  private void set(LayoutNode node, LayoutNode.FieldReference slot, @Nullable Object value) throws IOException {
    if (value == null) {
      keepAsNull(node);
    } else {
      slot.set(found.resource(), value);
    }
  }

  /** A second name for one attribute: the first counts. */
  private boolean isSet(AttributeNode leaf) {
    return found.nulls().contains(leaf.path()) || leaf.field().get(found.resource()) != null;
  }

  private void keepAsNull(LayoutNode node) throws IOException {
    if (!in.hasToken(JsonToken.VALUE_NULL)) {
      keep();
    }
    setNull(node);
  }

  private void setNull(LayoutNode node) {
    node.paths().forEach(found.nulls()::add);
  }

  private void keep() throws IOException {
    found.extra().put(List.copyOf(path), JsonValue.read(in));
  }
}
