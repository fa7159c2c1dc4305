package io.tidemark.http.wire;

import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.MapNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;

/** Where the attributes of a resource are in its JSON, for the reference. */
public final class JsonPaths {
  private JsonPaths() {}

  /**
   * Path in the JSON by path of the attribute. An attribute that is not in the JSON has none.
   *
   * @param onChain whether the resource is in on-chain answers
   */
  public static Map<String, String> of(Schema resource, boolean onChain) {
    var paths = new LinkedHashMap<String, String>();
    addJsonPaths("", ResourceLayout.of(resource, onChain), paths);
    return paths;
  }

  private static void addJsonPaths(String prefix, CompositeNode object, Map<String, String> paths) {
    for (var member : object.members()) {
      var jsonPath = prefix + member.name();
      switch (member.node()) {
        case AttributeNode attribute -> paths.put(attribute.path(), jsonPath);
        case MapNode map -> paths.put(map.path(), jsonPath);
        case ConstantNode constant -> {}
        case CompositeNode inner -> {
          if (inner.path() != null) {
            paths.put(inner.path(), jsonPath);
          }
          addJsonPaths(jsonPath + ".", inner, paths);
        }
      }
    }
  }
}
