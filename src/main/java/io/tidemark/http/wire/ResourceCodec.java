package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Extra;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.AttributeType;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.MapNode;
import io.tidemark.market.Observation;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A codec that reads and writes one kind of resource as JSON. Only the resource's schema determines the JSON; no
 * attribute has its own code.
 */
record ResourceCodec<R extends SpecificRecord>(Class<R> type, Schema schema, CompositeNode layout) {

  /** The greatest whole number up to which a double represents all whole numbers. */
  private static final double MAX_WHOLE = 1L << 53;

  /** @param onChain whether the attributes are in the member {@code attributes} of a resource object */
  static <R extends SpecificRecord> ResourceCodec<R> of(Class<R> type, boolean onChain) {
    var schema = SpecificData.get().getSchema(type);
    return new ResourceCodec<>(type, schema, ResourceLayout.of(schema, onChain));
  }

  /** Creates a codec for a resource whose attributes are direct members of its JSON object. */
  static <R extends SpecificRecord> ResourceCodec<R> of(Class<R> type) {
    return of(type, false);
  }

  /** Reads the resource in an object. Does not read data about the resource in other parts of the answer. */
  DecodedResource<R> read(JsonNode object) {
    var resource = type.cast(AvroRecords.blank(schema));
    var nulls = new HashSet<String>();
    var extra = new ResourceReader(resource, nulls).members(layout, Json.object(object));
    return new DecodedResource<>(resource, nulls, extra);
  }

  /** A row that is not an object yields a resource without identity and attributes. */
  DecodedResource<R> readRow(JsonNode row) {
    return read(row.isObject() ? row : Json.object());
  }

  /** Writes the resource as an object. Undocumented members come last. */
  ObjectNode write(Observation<R> observation, FieldNaming naming) {
    return Json.fill(writeAttributes(observation, naming), extra(observation));
  }

  /** Writes the resource as an object, without undocumented members. */
  ObjectNode writeAttributes(Observation<R> observation, FieldNaming naming) {
    return new ResourceWriter(observation, naming).members(layout);
  }

  /** Returns the undocumented members of a resource. */
  JsonNode extra(Observation<R> observation) {
    var field = schema.getField(ResourceLayout.EXTRA);
    var text = observation.resource().get(field.pos()) instanceof Extra extra ? extra.getJson() : null;
    var json = text == null ? Json.object() : Json.parse(text);
    if (!json.isObject()) {
      throw new IllegalArgumentException("the undocumented members of a resource are not a JSON object: " + text);
    }
    return json;
  }

  /**
   * A resource as read from its own JSON, before other parts of the answer complete it.
   *
   * @param nulls paths of the attributes that are explicitly null or have a value that cannot be read
   * @param extra members that have no place in the resource, at their original places in the JSON
   */
  record DecodedResource<R extends SpecificRecord>(R resource, Set<String> nulls, ObjectNode extra) {

    Observation<R> toObservation() {
      if (!extra.isEmpty()) {
        set(ResourceLayout.EXTRA, new Extra(Json.text(extra)));
      }
      return new Observation<>(resource, nulls);
    }

    /** Returns a field of the identity, or null if the field is missing or blank. */
    @Nullable
    String identity(String field) {
      return resource.get(position(field)) instanceof String text && !text.isBlank() ? text : null;
    }

    DecodedResource<R> set(String field, Object value) {
      resource.put(position(field), value);
      return this;
    }

    /** Rows of a list are not checked here, so that a bad row is rejected alone and not with the whole answer. */
    DecodedResource<R> require(String field) {
      if (identity(field) == null) {
        throw new MalformedAnswerException("a " + resource.getSchema().getName() + " has no " + field);
      }
      return this;
    }

    private int position(String field) {
      return resource.getSchema().getField(field).pos();
    }
  }

  /**
   * A reader of one resource. A value that it cannot read counts as undocumented, even if the layout has a place for
   * the value; the attribute at that place counts as explicitly null.
   */
  private record ResourceReader(SpecificRecord resource, Set<String> nulls) {
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final int MAX_DIGITS = 2_000;

    /**
     * Reads the members of an object. Returns the undocumented members, and the undocumented parts of the documented
     * members.
     */
    ObjectNode members(CompositeNode object, ObjectNode sent) {
      var undocumented = Json.object();
      sent.properties().forEach(member -> {
        var node = object.byName().get(member.getKey());
        var rest = node == null ? member.getValue() : value(node, member.getValue());
        if (rest != null) {
          undocumented.set(member.getKey(), rest);
        }
      });
      return undocumented;
    }

    /** Reads a value. Returns the undocumented part of the value, or null if the value has no such part. */
    private @Nullable JsonNode value(LayoutNode node, JsonNode sent) {
      return switch (node) {
        case ConstantNode constant -> null;
        case AttributeNode attribute -> attribute(attribute, sent);
        case MapNode map when sent instanceof ObjectNode object -> map(map, object);
        case CompositeNode composite when sent instanceof ObjectNode object -> object(composite, object);
        case MapNode map -> setNull(map, sent);
        case CompositeNode composite -> setNull(composite, sent);
      };
    }

    /**
     * Reads an attribute. If the attribute occurs under two names, the first occurrence is used, even if it is null;
     * a later value that is not null counts as undocumented.
     */
    private @Nullable JsonNode attribute(AttributeNode attribute, JsonNode sent) {
      if (!sent.isNull() && attribute.hasAliases() && isSet(attribute)) {
        return sent;
      }
      var value = scalar(attribute.type(), sent);
      if (value == null) {
        return setNull(attribute, sent);
      }
      attribute.field().set(resource, value);
      return null;
    }

    private boolean isSet(AttributeNode attribute) {
      return nulls.contains(attribute.path()) || attribute.field().get(resource) != null;
    }

    private @Nullable JsonNode setNull(LayoutNode node, JsonNode sent) {
      node.paths().forEach(nulls::add);
      return sent.isNull() ? null : sent;
    }

    private @Nullable JsonNode object(CompositeNode object, ObjectNode sent) {
      if (object.record() != null) {
        object.record().getOrCreate(resource);
      }
      var undocumented = members(object, sent);
      return undocumented.isEmpty() ? null : undocumented;
    }

    private @Nullable JsonNode map(MapNode map, ObjectNode sent) {
      var undocumented = Json.object();
      var values = new LinkedHashMap<String, @Nullable Object>();
      sent.properties().forEach(member -> {
        var value = scalar(map.type(), member.getValue());
        values.put(member.getKey(), value);
        if (value == null && !member.getValue().isNull()) {
          undocumented.set(member.getKey(), member.getValue());
        }
      });
      map.field().set(resource, values);
      return undocumented.isEmpty() ? null : undocumented;
    }

    /** Converts a JSON value to the type of an attribute. Returns null if the value is null or of another type. */
    private static @Nullable Object scalar(AttributeType type, JsonNode sent) {
      if (sent.isNull()) {
        return null;
      }
      return switch (type) {
        case TEXT -> Json.content(sent);
        case TEXT_OR_JSON -> sent.isTextual() ? sent.asText() : Json.text(sent);
        case DOUBLE -> decimal(digits(sent));
        case LONG -> wholeNumber(digits(sent));
        case BOOLEAN -> sent.isBoolean() ? (Object) sent.booleanValue() : null;
      };
    }

    private static @Nullable Double decimal(@Nullable String digits) {
      double value = digits == null ? Double.NaN : Double.parseDouble(digits);
      return Double.isFinite(value) ? Double.valueOf(value + 0.0) : null;
    }

    private static @Nullable Long wholeNumber(@Nullable String digits) {
      try {
        return digits == null ? null : Long.valueOf(new BigDecimal(digits).longValueExact());
      } catch (ArithmeticException | NumberFormatException e) {
        return null;
      }
    }

    /** Returns the digits of a number that was sent as a number or a string, or null for any other value. */
    private static @Nullable String digits(JsonNode sent) {
      var text = Json.content(sent);
      return text != null && text.length() <= MAX_DIGITS && DECIMAL.matcher(text).matches() ? text : null;
    }
  }

  /** A writer of one observation. An explicit null is written as null, and an absent attribute is left out. */
  private record ResourceWriter(Observation<?> observation, FieldNaming naming) {

    ObjectNode members(CompositeNode node) {
      var object = Json.object();
      for (var member : node.members()) {
        var value = value(member.node());
        if (value != null) {
          object.set(member.name(naming), value);
        }
      }
      return object;
    }

    /** Returns the JSON of a node, or null if the attribute is absent. */
    private @Nullable JsonNode value(LayoutNode node) {
      return switch (node) {
        case AttributeNode attribute -> {
          var value = attribute.field().get(observation.resource());
          yield value == null ? nullOrAbsent(attribute.path()) : scalar(attribute.type(), value);
        }
        case MapNode map -> map.field().get(observation.resource()) instanceof Map<?, ?> values
            ? map(values, map.type())
            : nullOrAbsent(map.path());
        case CompositeNode object -> object(object);
        case ConstantNode constant -> Json.string(constant.text());
      };
    }

    private @Nullable JsonNode object(CompositeNode node) {
      boolean present = node.record() != null && node.record().find(observation.resource()) != null;
      if (!present && (node.path() != null || isExplicitNull(node))) {
        return isNull(node) ? Json.string(null) : null;
      }
      var object = members(node);
      return present || object.size() > constants(node) ? object : null;
    }

    /** Returns whether an absent node is a facet or a relationship, and all its attributes are explicitly null. */
    private boolean isExplicitNull(CompositeNode node) {
      return (node.record() != null || constants(node) > 0) && isNull(node);
    }

    private boolean isNull(LayoutNode node) {
      return node.paths().allMatch(observation.nulls()::contains);
    }

    private static long constants(CompositeNode node) {
      return node.members().stream().filter(member -> member.node() instanceof ConstantNode).count();
    }

    private @Nullable JsonNode nullOrAbsent(String path) {
      return observation.nulls().contains(path) ? Json.string(null) : null;
    }

    private static JsonNode map(Map<?, ?> values, AttributeType type) {
      var object = Json.object();
      values.forEach((key, value) -> object.set((String) key, value == null ? Json.string(null) : scalar(type, value)));
      return object;
    }

    private static JsonNode scalar(AttributeType type, Object value) {
      return switch (type) {
        case TEXT -> Json.string((String) value);
        case TEXT_OR_JSON -> textOrJson((String) value);
        case DOUBLE -> Double.isFinite((Double) value) ? new NumberText(digits((Double) value)) : Json.string(null);
        case LONG -> new NumberText(value.toString());
        case BOOLEAN -> BooleanNode.valueOf((Boolean) value);
      };
    }

    /** Returns the digits of a number. A whole number up to 2^53 has neither a fraction nor an exponent. */
    private static String digits(Double value) {
      var isExact = value == Math.rint(value) && Math.abs(value) <= MAX_WHOLE;
      return isExact ? Long.toString(value.longValue()) : value.toString();
    }

    /**
     * Returns the JSON value from which a text was probably read. If the text parses as a number, boolean, array or
     * object, returns the parsed value; otherwise, returns the text as a JSON string. A string such as {@code "1"},
     * which was sent as a string, is therefore written as a number.
     */
    private static JsonNode textOrJson(String text) {
      var json = Json.parse(text);
      return json.isMissingNode() || json.isTextual() || json.isNull() ? Json.string(text) : json;
    }
  }
}
