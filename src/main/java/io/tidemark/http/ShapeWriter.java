package io.tidemark.http;

import io.tidemark.http.Node.Branch;
import io.tidemark.http.Node.Fixed;
import io.tidemark.http.Node.Keyed;
import io.tidemark.http.Node.Leaf;
import io.tidemark.market.Seen;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Writes what one resource was seen with: nothing that was absent, null what was null. */
final class ShapeWriter {
  private final Seen<?> seen;
  private final NameStyle names;

  ShapeWriter(Seen<?> seen, NameStyle names) {
    this.seen = seen;
    this.names = names;
  }

  void write(Branch branch, JsonObject into) {
    for (var member : branch.members()) {
      var value = value(member.node());
      if (value != null) {
        into.put(member.name(names), value);
      }
    }
  }

  /** Null where the attribute is absent. */
  private @Nullable JsonValue value(Node node) {
    return switch (node) {
      case Leaf leaf -> {
        var value = leaf.slot().get(resource());
        yield value == null ? nullOrAbsent(leaf.path()) : leaf.kind().write(value);
      }
      case Keyed keyed -> {
        var value = keyed.slot().get(resource());
        yield value instanceof Map<?, ?> map ? map(map, keyed.kind()) : nullOrAbsent(keyed.path());
      }
      case Branch branch -> branch(branch);
      case Fixed fixed -> JsonValue.string(fixed.text());
    };
  }

  private @Nullable JsonValue branch(Branch branch) {
    boolean there = branch.way() != null && branch.way().find(resource()) != null;
    if (!there && (branch.path() != null || isNullAsAWhole(branch))) {
      return branch.paths().allMatch(seen.nulls()::contains) ? JsonValue.NULL : null;
    }
    var object = JsonObject.ordered();
    write(branch, object);
    return there || object.size() > constants(branch) ? object : null;
  }

  /** A facet that is not there, or a relationship, and nothing but null in it. */
  private boolean isNullAsAWhole(Branch branch) {
    return (branch.way() != null || constants(branch) > 0) && branch.paths().allMatch(seen.nulls()::contains);
  }

  private static long constants(Branch branch) {
    return branch.members().stream().filter(member -> member.node() instanceof Fixed).count();
  }

  private static JsonValue map(Map<?, ?> map, Kind kind) {
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
