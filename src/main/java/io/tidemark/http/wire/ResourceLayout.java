package io.tidemark.http.wire;

import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.FieldReference;
import io.tidemark.http.wire.LayoutNode.MapNode;
import io.tidemark.http.wire.LayoutNode.NamedNode;
import io.tidemark.http.wire.LayoutNode.PathStep;
import io.tidemark.http.wire.LayoutNode.RecordPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.jspecify.annotations.Nullable;

/**
 * Lays out a resource in JSON from its schema: names are equal, and properties say the rest. {@code path} on a facet
 * stands before its attributes, on an attribute for all of its place; {@code json} and aliases are other names; {@code
 * relationship} is the id of a related resource; {@code query} and {@code derived} are not in the JSON.
 */
final class ResourceLayout {
  private static final String EXTRA = "extra";
  private static final Set<String> BESIDE_ATTRIBUTES = Set.of("id");
  private static final Set<String> OF_THE_QUERY = Set.of("network");

  private final CompositeBuilder root = new CompositeBuilder(null, null);
  private final boolean onChain;

  private ResourceLayout(boolean onChain) {
    this.onChain = onChain;
  }

  /** @param onChain whether the attributes are members of a resource object */
  static CompositeNode build(Schema resource, boolean onChain) {
    var builder = new ResourceLayout(onChain);
    resource.getFields().stream().filter(builder::isSent).forEach(builder::addFacetOrIdentity);
    return builder.root.freeze();
  }

  private boolean isSent(Field field) {
    return field.getProp("derived") == null
        && field.getObjectProp("query") == null
        && !field.name().equals(EXTRA)
        && !(onChain && OF_THE_QUERY.contains(field.name()));
  }

  private void addFacetOrIdentity(Field field) {
    var schema = ResourceClasses.notNull(field.schema());
    if (schema.getType() != Schema.Type.RECORD) {
      add(BESIDE_ATTRIBUTES.contains(field.name()) ? root : attributes(), RecordPath.RESOURCE, field, "");
      return;
    }
    var way = RecordPath.RESOURCE.to(new PathStep(field.pos(), ResourceClasses.classOf(schema)));
    var home = home(field, way);
    schema.getFields().stream().filter(this::isSent).forEach(each -> add(home, way, each, field.name() + "."));
  }

  private CompositeBuilder home(Field facet, RecordPath way) {
    var path = facet.getProp("path");
    if (path == null) {
      return attributes();
    }
    var home = attributes().at(Arrays.asList(path.split("\\.")));
    home.way = way;
    return home;
  }

  private CompositeBuilder attributes() {
    return onChain ? root.at(List.of("attributes")) : root;
  }

  private void add(CompositeBuilder home, RecordPath way, Field field, String facet) {
    var path = field.getProp("path");
    if (field.getProp("relationship") != null) {
      addRelationship(way, field, facet);
    } else if (path != null) {
      var names = Arrays.asList(path.split("\\."));
      var parent = attributes().at(names.subList(0, names.size() - 1));
      parent.add(names.getLast(), List.of(), node(way, field, facet));
    } else {
      home.add(name(field), List.copyOf(field.aliases()), node(way, field, facet));
    }
  }

  private void addRelationship(RecordPath way, Field field, String facet) {
    var data = root.at(List.of("relationships", name(field), "data"));
    data.add("id", List.of(), node(way, field, facet));
    data.add("type", List.of(), () -> new ConstantNode(field.getProp("relationship")));
  }

  private Supplier<LayoutNode> node(RecordPath way, Field field, String facet) {
    var schema = ResourceClasses.notNull(field.schema());
    var slot = new FieldReference(way, field.pos());
    var path = facet + field.name();
    return switch (schema.getType()) {
      case RECORD -> record(way.to(new PathStep(field.pos(), ResourceClasses.classOf(schema))), path, schema);
      case MAP -> () -> new MapNode(slot, kind(ResourceClasses.notNull(schema.getValueType()), field), path);
      default -> () -> new AttributeNode(slot, kind(schema, field), path);
    };
  }

  private Supplier<LayoutNode> record(RecordPath way, String path, Schema schema) {
    var draft = new CompositeBuilder(way, path);
    schema.getFields().forEach(field -> draft.add(name(field), List.of(), node(way, field, path + ".")));
    return draft::freeze;
  }

  private static String name(Field field) {
    var json = field.getProp("json");
    return json == null ? field.name() : json;
  }

  private static AttributeType kind(Schema schema, Field field) {
    return switch (schema.getType()) {
      case STRING -> "json".equals(field.getProp("text")) ? AttributeType.TEXT_OR_JSON : AttributeType.TEXT;
      case DOUBLE -> AttributeType.DOUBLE;
      case LONG -> AttributeType.LONG;
      case BOOLEAN -> AttributeType.BOOLEAN;
      default -> throw new IllegalStateException("no attribute can be of type " + schema + " (" + field.name() + ")");
    };
  }

  /** An object that members are still added to. */
  private static final class CompositeBuilder {
    private @Nullable RecordPath way;
    private final @Nullable String path;
    private final Map<String, PendingNode> entries = new LinkedHashMap<>();
    private final Map<String, CompositeBuilder> ways = new LinkedHashMap<>();

    CompositeBuilder(@Nullable RecordPath way, @Nullable String path) {
      this.way = way;
      this.path = path;
    }

    void add(String name, List<String> aliases, Supplier<LayoutNode> node) {
      entries.put(name, new PendingNode(aliases, node));
    }

    /** The object that a path leads to. */
    CompositeBuilder at(List<String> names) {
      var draft = this;
      for (var name : names) {
        draft = draft.child(name);
      }
      return draft;
    }

    CompositeNode freeze() {
      var members = new ArrayList<NamedNode>();
      var byName = new LinkedHashMap<String, LayoutNode>();
      entries.forEach((name, entry) -> {
        var node = entry.node().get();
        members.add(new NamedNode(name, entry.serviceName(name), node));
        Stream.concat(Stream.of(name), entry.aliases().stream()).forEach(each -> byName.put(each, node));
      });
      return new CompositeNode(way, path, Map.copyOf(byName), List.copyOf(members));
    }

    private CompositeBuilder child(String name) {
      return ways.computeIfAbsent(name, absent -> {
        var draft = new CompositeBuilder(null, null);
        add(name, List.of(), draft::freeze);
        return draft;
      });
    }
  }

  private record PendingNode(List<String> aliases, Supplier<LayoutNode> node) {
    String serviceName(String name) {
      return aliases.isEmpty() ? name : aliases.getFirst();
    }
  }
}
