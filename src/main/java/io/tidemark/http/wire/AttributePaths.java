package io.tidemark.http.wire;

import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.MapNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;

/** Where in the JSON of a resource its attributes stand: {@code composition.base_token_balance}, ... */
public final class AttributePaths {

  private final Map<String, String> paths = new LinkedHashMap<>();

  private AttributePaths() {}

  /**
   * Path in the JSON, by attribute. What is not in the JSON has none.
   *
   * @param onChain whether the resource is one of the on-chain answers
   */
  public static Map<String, String> of(Schema resource, boolean onChain) {
    var found = new AttributePaths();
    found.walk("", ResourceLayout.build(resource, onChain));
    return found.paths;
  }

  private void walk(String place, CompositeNode branch) {
    branch.members().forEach(member -> {
      var path = place.isEmpty() ? member.name() : place + "." + member.name();
      switch (member.node()) {
        case AttributeNode leaf -> paths.put(leaf.path(), path);
        case MapNode keyed -> paths.put(keyed.path(), path);
        case ConstantNode fixed -> {}
        case CompositeNode inner -> walkInto(path, inner);
      }
    });
  }

  private void walkInto(String path, CompositeNode branch) {
    if (branch.path() != null) {
      paths.put(branch.path(), path);
    }
    walk(path, branch);
  }
}
