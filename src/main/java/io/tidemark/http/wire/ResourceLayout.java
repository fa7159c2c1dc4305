package io.tidemark.http.wire;

import io.tidemark.event.AvroRecords;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.AttributeType;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.FieldReference;
import io.tidemark.http.wire.LayoutNode.MapNode;
import io.tidemark.http.wire.LayoutNode.RecordPath;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;

/**
 * The rules that determine where the attributes of a resource are in its JSON. An attribute has the same name as in
 * the schema, unless a property of the schema field says otherwise. The property {@code path} of a facet is the path
 * of the object that contains the facet's attributes. The property {@code path} of an attribute is the whole path of
 * the attribute. The property {@code json} is the name of an attribute in place of the field's name. The aliases are
 * further names, of which the first is the service's name. The property {@code relationship} marks the id of a
 * related resource. Fields with the property {@code query} or {@code derived} are not in the JSON.
 */
final class ResourceLayout {
  static final String EXTRA = "extra";

  private static final String ID = "id";

  /** The network of an on-chain resource, which is known from the query and is not in the resource's JSON. */
  private static final String NETWORK = "network";

  private final CompositeNode root = new CompositeNode(null, null);
  private final boolean onChain;

  private ResourceLayout(boolean onChain) {
    this.onChain = onChain;
  }

  /** @param onChain whether the attributes are in the member {@code attributes} of a resource object */
  static CompositeNode of(Schema resource, boolean onChain) {
    var layout = new ResourceLayout(onChain);
    resource.getFields().stream().filter(layout::isSent).forEach(field -> layout.addFacetOrIdentity(field, resource));
    return layout.root;
  }

  private boolean isSent(Field field) {
    return field.getProp("derived") == null
        && field.getObjectProp("query") == null
        && !field.name().equals(EXTRA)
        && !(onChain && field.name().equals(NETWORK));
  }

  private void addFacetOrIdentity(Field field, Schema resource) {
    var schema = AvroRecords.nonNull(field.schema());
    if (schema.getType() != Schema.Type.RECORD) {
      addIdentity(field, resource);
      return;
    }
    var facet = RecordPath.RESOURCE.to(field);
    var object = facetObject(field, facet);
    schema.getFields().stream().filter(this::isSent).forEach(each -> add(object, facet, each, field.name() + "."));
  }

  /** The id and the type of a resource object are its direct members, not in its member {@code attributes}. */
  private void addIdentity(Field field, Schema resource) {
    boolean beside = onChain && field.name().equals(ID);
    add(beside ? root : attributes(), RecordPath.RESOURCE, field, "");
    if (beside) {
      root.add("type", List.of(), new ConstantNode(resource.getName().toLowerCase(Locale.ROOT)));
    }
  }

  private CompositeNode facetObject(Field field, RecordPath facet) {
    var path = field.getProp("path");
    if (path == null) {
      return attributes();
    }
    var names = Arrays.asList(path.split("\\."));
    return attributes().at(names.subList(0, names.size() - 1)).child(names.getLast(), facet);
  }

  private CompositeNode attributes() {
    return onChain ? root.at(List.of("attributes")) : root;
  }

  /** @param prefix prefix of the attribute's path */
  private void add(CompositeNode object, RecordPath record, Field field, String prefix) {
    var path = field.getProp("path");
    if (field.getProp("relationship") != null) {
      addRelationship(record, field, prefix);
    } else if (path != null) {
      var names = Arrays.asList(path.split("\\."));
      var parent = attributes().at(names.subList(0, names.size() - 1));
      parent.add(names.getLast(), List.of(), node(record, field, prefix));
    } else {
      object.add(jsonName(field), List.copyOf(field.aliases()), node(record, field, prefix));
    }
  }

  private void addRelationship(RecordPath record, Field field, String prefix) {
    var data = root.at(List.of("relationships", jsonName(field), "data"));
    data.add("id", List.of(), node(record, field, prefix));
    data.add("type", List.of(), new ConstantNode(field.getProp("relationship")));
  }

  private LayoutNode node(RecordPath record, Field field, String prefix) {
    var schema = AvroRecords.nonNull(field.schema());
    var reference = new FieldReference(record, field.pos());
    var path = prefix + field.name();
    return switch (schema.getType()) {
      case RECORD -> recordNode(record.to(field), path, schema);
      case MAP -> new MapNode(reference, type(AvroRecords.nonNull(schema.getValueType()), field), path);
      default -> new AttributeNode(reference, type(schema, field), path, !field.aliases().isEmpty());
    };
  }

  private LayoutNode recordNode(RecordPath record, String path, Schema schema) {
    var object = new CompositeNode(record, path);
    schema.getFields().forEach(field -> object.add(jsonName(field), List.of(), node(record, field, path + ".")));
    return object;
  }

  private static String jsonName(Field field) {
    var json = field.getProp("json");
    return json == null ? field.name() : json;
  }

  private static AttributeType type(Schema schema, Field field) {
    return switch (schema.getType()) {
      case STRING -> "json".equals(field.getProp("text")) ? AttributeType.TEXT_OR_JSON : AttributeType.TEXT;
      case DOUBLE -> AttributeType.DOUBLE;
      case LONG -> AttributeType.LONG;
      case BOOLEAN -> AttributeType.BOOLEAN;
      default -> throw new IllegalStateException("attribute " + field.name() + " has the unsupported type " + schema);
    };
  }
}
