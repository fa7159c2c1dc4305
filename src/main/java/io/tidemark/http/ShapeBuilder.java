package io.tidemark.http;

import io.tidemark.http.Node.Branch;
import io.tidemark.http.Node.Fixed;
import io.tidemark.http.Node.Keyed;
import io.tidemark.http.Node.Leaf;
import io.tidemark.http.Node.Member;
import io.tidemark.http.Node.Slot;
import io.tidemark.http.Node.Step;
import io.tidemark.http.Node.Way;
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
final class ShapeBuilder {
  private static final String EXTRA = "extra";
  private static final Set<String> BESIDE_ATTRIBUTES = Set.of("id");
  private static final Set<String> OF_THE_QUERY = Set.of("network");

  private final Draft root = new Draft(null, null);
  private final boolean onChain;

  private ShapeBuilder(boolean onChain) {
    this.onChain = onChain;
  }

  /** @param onChain whether the attributes are members of a resource object */
  static Branch build(Schema resource, boolean onChain) {
    var builder = new ShapeBuilder(onChain);
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
    var schema = Blank.notNull(field.schema());
    if (schema.getType() != Schema.Type.RECORD) {
      add(BESIDE_ATTRIBUTES.contains(field.name()) ? root : attributes(), Way.HERE, field, "");
      return;
    }
    var way = Way.HERE.to(new Step(field.pos(), Blank.type(schema)));
    var home = home(field, way);
    schema.getFields().stream().filter(this::isSent).forEach(each -> add(home, way, each, field.name() + "."));
  }

  private Draft home(Field facet, Way way) {
    var path = facet.getProp("path");
    if (path == null) {
      return attributes();
    }
    var home = attributes().at(Arrays.asList(path.split("\\.")));
    home.way = way;
    return home;
  }

  private Draft attributes() {
    return onChain ? root.at(List.of("attributes")) : root;
  }

  private void add(Draft home, Way way, Field field, String facet) {
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

  private void addRelationship(Way way, Field field, String facet) {
    var data = root.at(List.of("relationships", name(field), "data"));
    data.add("id", List.of(), node(way, field, facet));
    data.add("type", List.of(), () -> new Fixed(field.getProp("relationship")));
  }

  private Supplier<Node> node(Way way, Field field, String facet) {
    var schema = Blank.notNull(field.schema());
    var slot = new Slot(way, field.pos());
    var path = facet + field.name();
    return switch (schema.getType()) {
      case RECORD -> record(way.to(new Step(field.pos(), Blank.type(schema))), path, schema);
      case MAP -> () -> new Keyed(slot, kind(Blank.notNull(schema.getValueType()), field), path);
      default -> () -> new Leaf(slot, kind(schema, field), path);
    };
  }

  private Supplier<Node> record(Way way, String path, Schema schema) {
    var draft = new Draft(way, path);
    schema.getFields().forEach(field -> draft.add(name(field), List.of(), node(way, field, path + ".")));
    return draft::freeze;
  }

  private static String name(Field field) {
    var json = field.getProp("json");
    return json == null ? field.name() : json;
  }

  private static Kind kind(Schema schema, Field field) {
    return switch (schema.getType()) {
      case STRING -> "json".equals(field.getProp("text")) ? Kind.ANY : Kind.TEXT;
      case DOUBLE -> Kind.NUMBER;
      case LONG -> Kind.WHOLE;
      case BOOLEAN -> Kind.FLAG;
      default -> throw new IllegalStateException("no attribute can be of type " + schema + " (" + field.name() + ")");
    };
  }

  /** An object that members are still added to. */
  private static final class Draft {
    private @Nullable Way way;
    private final @Nullable String path;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, Draft> ways = new LinkedHashMap<>();

    Draft(@Nullable Way way, @Nullable String path) {
      this.way = way;
      this.path = path;
    }

    void add(String name, List<String> aliases, Supplier<Node> node) {
      entries.put(name, new Entry(aliases, node));
    }

    /** The object that a path leads to. */
    Draft at(List<String> names) {
      var draft = this;
      for (var name : names) {
        draft = draft.child(name);
      }
      return draft;
    }

    Branch freeze() {
      var members = new ArrayList<Member>();
      var byName = new LinkedHashMap<String, Node>();
      entries.forEach((name, entry) -> {
        var node = entry.node().get();
        members.add(new Member(name, entry.serviceName(name), node));
        Stream.concat(Stream.of(name), entry.aliases().stream()).forEach(each -> byName.put(each, node));
      });
      return new Branch(way, path, Map.copyOf(byName), List.copyOf(members));
    }

    private Draft child(String name) {
      return ways.computeIfAbsent(name, absent -> {
        var draft = new Draft(null, null);
        add(name, List.of(), draft::freeze);
        return draft;
      });
    }
  }

  private record Entry(List<String> aliases, Supplier<Node> node) {
    String serviceName(String name) {
      return aliases.isEmpty() ? name : aliases.getFirst();
    }
  }
}
