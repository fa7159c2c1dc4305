package io.tidemark.http;

import io.tidemark.http.Node.Branch;
import io.tidemark.http.Node.Fixed;
import io.tidemark.http.Node.Keyed;
import io.tidemark.http.Node.Leaf;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;

/** Where in the JSON of a resource its attributes stand: {@code composition.base_token_balance}, ... */
public final class JsonPaths {

  private final Map<String, String> paths = new LinkedHashMap<>();

  private JsonPaths() {}

  /**
   * Path in the JSON, by attribute. What is not in the JSON has none.
   *
   * @param onChain whether the resource is one of the on-chain answers
   */
  public static Map<String, String> of(Schema resource, boolean onChain) {
    var found = new JsonPaths();
    found.walk("", ShapeBuilder.build(resource, onChain));
    return found.paths;
  }

  private void walk(String place, Branch branch) {
    branch.members().forEach(member -> {
      var path = place.isEmpty() ? member.name() : place + "." + member.name();
      switch (member.node()) {
        case Leaf leaf -> paths.put(leaf.path(), path);
        case Keyed keyed -> paths.put(keyed.path(), path);
        case Fixed fixed -> {}
        case Branch inner -> walkInto(path, inner);
      }
    });
  }

  private void walkInto(String path, Branch branch) {
    if (branch.path() != null) {
      paths.put(branch.path(), path);
    }
    walk(path, branch);
  }
}
