package io.tidemark.http.wire;

import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.MapNode;
import io.tidemark.market.Observation;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Writes what one resource was seen with: nothing that was absent, null what was null. */
final class ResourceWriter {
  private final Observation<?> seen;
  private final FieldNaming names;

  ResourceWriter(Observation<?> seen, FieldNaming names) {
    this.seen = seen;
    this.names = names;
  }

  void write(CompositeNode branch, JsonObject into) {
    for (var member : branch.members()) {
      var value = value(member.node());
      if (value != null) {
        into.put(member.name(names), value);
      }
    }
  }

  /** Null where the attribute is absent. */
  private @Nullable JsonValue value(LayoutNode node) {
    return switch (node) {
      case AttributeNode leaf -> {
        var value = leaf.field().get(resource());
        yield value == null ? nullOrAbsent(leaf.path()) : leaf.type().write(value);
      }
      case MapNode keyed -> {
        var value = keyed.field().get(resource());
        yield value instanceof Map<?, ?> map ? map(map, keyed.type()) : nullOrAbsent(keyed.path());
      }
      case CompositeNode branch -> branch(branch);
      case ConstantNode fixed -> JsonValue.string(fixed.text());
    };
  }

  private @Nullable JsonValue branch(CompositeNode branch) {
    boolean there = branch.location() != null && branch.location().find(resource()) != null;
    if (!there && (branch.path() != null || isNullAsAWhole(branch))) {
      return branch.paths().allMatch(seen.nulls()::contains) ? JsonValue.NULL : null;
    }
    var object = JsonObject.ordered();
    write(branch, object);
    return there || object.size() > constants(branch) ? object : null;
  }

  /** A facet that is not there, or a relationship, and nothing but null in it. */
  private boolean isNullAsAWhole(CompositeNode branch) {
    return (branch.location() != null || constants(branch) > 0) && branch.paths().allMatch(seen.nulls()::contains);
  }

  private static long constants(CompositeNode branch) {
    return branch.members().stream().filter(member -> member.node() instanceof ConstantNode).count();
  }

  private static JsonValue map(Map<?, ?> map, AttributeType kind) {
    var object = JsonObject.ordered();
    map.forEach((key, value) -> object.put((String) key, value == null ? JsonValue.NULL : kind.write(value)));
    return object;
  }

  private @Nullable JsonValue nullOrAbsent(String path) {
    return seen.nulls().contains(path) ? JsonValue.NULL : null;
  }

  private SpecificRecord resource() {
    return seen.resource();
  }
}
