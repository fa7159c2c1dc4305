package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Extra;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.AttributeType;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.FieldReference;
import io.tidemark.http.wire.LayoutNode.MapNode;
import io.tidemark.http.wire.LayoutNode.RecordsByNumber;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Reads and writes one kind of resource as JSON, by its schema alone: no attribute has code of its own. */
record ResourceCodec<R extends SpecificRecord>(
    Class<R> type, Schema schema, CompositeNode layout, int records, Supplier<SpecificRecord> constructor) {

  /** @param onChain whether the attributes are members of a resource object */
  static <R extends SpecificRecord> ResourceCodec<R> of(Class<R> type, boolean onChain) {
    var schema = SpecificData.get().getSchema(type);
    var layout = ResourceLayout.of(schema, onChain);
    return new ResourceCodec<>(type, schema, layout, layout.records(), AvroRecords.constructor(schema));
  }

  /** For a resource whose attributes are members of its object. */
  static <R extends SpecificRecord> ResourceCodec<R> of(Class<R> type) {
    return of(type, false);
  }

  /** The resource at the parser's position, without what other parts of the answer say of it. */
  DecodedResource<R> read(JsonParser in) throws IOException {
    return read(in, null, () -> {});
  }

  /** The resource whose object the parser is in, behind its id and its type: at a name, or at the object's end. */
  DecodedResource<R> readRemaining(String id, JsonParser in) throws IOException {
    var decoded = blank();
    decoded.set("id", id);
    new ResourceReader(in, decoded, records, null, () -> {}).members(layout, layout.bit("id") | layout.bit("type"));
    return decoded;
  }

  private DecodedResource<R> blank() {
    return new DecodedResource<>(type.cast(constructor.get()), new HashSet<>(), JsonObject.sorted());
  }

  /** @param other a member of the object that is no attribute */
  DecodedResource<R> read(JsonParser in, @Nullable String other, StrictJson.ElementReader otherReader)
      throws IOException {
    StrictJson.expect(in, JsonToken.START_OBJECT);
    var decoded = blank();
    var reader = new ResourceReader(in, decoded, records, other, otherReader);
    in.nextToken();
    reader.members(layout, 0);
    return decoded;
  }

  /** The resource as an object. Undocumented members come last. */
  JsonObject write(Observation<R> observation, FieldNaming naming) {
    return writeAttributes(observation, naming).fill(extra(observation));
  }

  /** The resource as an object, without undocumented members. */
  JsonObject writeAttributes(Observation<R> observation, FieldNaming naming) {
    return new ResourceWriter(observation, naming).write(layout);
  }

  /** The undocumented members of a resource. */
  JsonObject extra(Observation<R> observation) {
    var field = schema.getField(ResourceLayout.EXTRA);
    var text = observation.resource().get(field.pos()) instanceof Extra extra ? extra.getJson() : null;
    return text == null ? JsonObject.sorted() : JsonObject.parse(text);
  }

  /**
   * A resource as its own JSON has it, before other parts of the answer complete it.
   *
   * @param nulls paths of the attributes that are explicitly null
   * @param extra members that have no place in the resource, where they were in the JSON
   */
  record DecodedResource<R extends SpecificRecord>(R resource, Set<String> nulls, JsonObject extra) {

    Observation<R> toObservation() {
      if (!extra.isEmpty()) {
        set(ResourceLayout.EXTRA, new Extra(extra.toString()));
      }
      return new Observation<>(resource, nulls);
    }

    /** A field of its identity; null where it is missing or empty. */
    @Nullable
    String identity(String field) {
      return resource.get(position(field)) instanceof String text && !text.isEmpty() ? text : null;
    }

    DecodedResource<R> set(String field, Object value) {
      resource.put(position(field), value);
      return this;
    }

    /** Checks that it has a field of its identity. */
    DecodedResource<R> require(String field) throws MalformedAnswerException {
      if (identity(field) == null) {
        throw new MalformedAnswerException("a " + resource.getSchema().getName() + " without " + field);
      }
      return this;
    }

    private int position(String field) {
      return resource.getSchema().getField(field).pos();
    }
  }

  /** Reads one resource. A member without a place in the layout, or of another type than its attribute, becomes extra. */
  private static final class ResourceReader {
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final int MAX_DIGITS = 2_000;

    /** Any number of so many characters fits into a long. */
    private static final int MOST_DIGITS_OF_A_LONG = 18;

    private final JsonParser in;
    private final DecodedResource<?> decoded;
    private final RecordsByNumber records;
    private final JsonStreamContext resource;
    private final @Nullable String other;
    private final StrictJson.ElementReader otherReader;

    /** The parser is in the object of the resource. */
    ResourceReader(JsonParser in, DecodedResource<?> decoded, int records, @Nullable String other,
        StrictJson.ElementReader otherReader) {
      this.in = in;
      this.decoded = decoded;
      this.records = new RecordsByNumber(decoded.resource(), records);
      this.resource = in.getParsingContext();
      this.other = other;
      this.otherReader = otherReader;
    }

    /**
     * Reads the members of an object from the parser's position on.
     *
     * @param before bits of the names that the object had before
     */
    void members(CompositeNode object, long before) throws IOException {
      var namesRead = before;
      Set<String> undocumented = Set.of();
      var first = in.hasToken(JsonToken.FIELD_NAME) ? in.currentName() : null;
      for (var name = first; name != null; name = in.nextFieldName()) {
        in.nextToken();
        var read = object.byName().get(name);
        if (read != null) {
          if ((namesRead & read.bit()) != 0) {
            throw StrictJson.duplicate(name);
          }
          namesRead |= read.bit();
          member(read.node());
        } else {
          undocumented = undocumented.isEmpty() ? new HashSet<>() : undocumented;
          if (!undocumented.add(name)) {
            throw StrictJson.duplicate(name);
          }
          undocumented(name);
        }
      }
    }

    private void undocumented(String name) throws IOException {
      if (name.equals(other) && owner() == resource) {
        otherReader.read();
      } else {
        addExtra();
      }
    }

    private void member(LayoutNode node) throws IOException {
      switch (node) {
        case ConstantNode constant -> StrictJson.skip(in);
        case AttributeNode attribute when in.hasToken(JsonToken.VALUE_NULL) -> addNull(attribute);
        case AttributeNode attribute when attribute.hasAliases() && isSet(attribute) -> addExtra();
        case AttributeNode attribute -> setOrAddExtra(attribute, attribute.field(), value(attribute.type()));
        case MapNode map when in.hasToken(JsonToken.START_OBJECT) -> set(map.field(), map(map.type()));
        case CompositeNode object when in.hasToken(JsonToken.START_OBJECT) -> object(object);
        case MapNode map -> addExtraAndNull(map);
        case CompositeNode object -> addExtraAndNull(object);
      }
    }

    private void object(CompositeNode object) throws IOException {
      if (object.record() != null) {
        records.getOrCreate(object.record());
      }
      in.nextToken();
      members(object, 0);
    }

    private Map<String, @Nullable Object> map(AttributeType type) throws IOException {
      var values = new LinkedHashMap<String, @Nullable Object>();
      StrictJson.members(in, name -> {
        var value = in.hasToken(JsonToken.VALUE_NULL) ? null : value(type);
        if (value == null && !in.hasToken(JsonToken.VALUE_NULL)) {
          addExtra();
        }
        values.put(name, value);
      });
      return values;
    }

    /** The value at the parser's position; null where it is of another type. */
    private @Nullable Object value(AttributeType type) throws IOException {
      return switch (type) {
        case TEXT -> in.hasToken(JsonToken.VALUE_STRING) || isNumber() ? StrictJson.string(in) : null;
        case TEXT_OR_JSON ->
            in.hasToken(JsonToken.VALUE_STRING) ? StrictJson.string(in) : JsonValue.read(in).toString();
        case DOUBLE -> decimal();
        case LONG -> wholeNumber();
        case BOOLEAN -> in.currentToken().isBoolean() ? (Object) in.getBooleanValue() : null;
      };
    }

    private boolean isNumber() {
      return in.currentToken().isNumeric();
    }

    private @Nullable Double decimal() throws IOException {
      var digits = digits();
      double value = digits == null ? Double.NaN : Double.parseDouble(digits);
      return Double.isFinite(value) ? Double.valueOf(value + 0.0) : null;
    }

    private @Nullable Long wholeNumber() throws IOException {
      if (in.hasToken(JsonToken.VALUE_NUMBER_INT) && in.getTextLength() <= MOST_DIGITS_OF_A_LONG) {
        return in.getLongValue();
      }
      var digits = digits();
      try {
        return digits == null ? null : Long.valueOf(new BigDecimal(digits).longValueExact());
      } catch (ArithmeticException | NumberFormatException e) {
        return null;
      }
    }

    /** The digits of a number, sent as a number or as a string; null where it is neither. */
    private @Nullable String digits() throws IOException {
      var text = isNumber() || in.hasToken(JsonToken.VALUE_STRING) ? in.getText() : "";
      return isNumber() || (text.length() <= MAX_DIGITS && DECIMAL.matcher(text).matches()) ? text : null;
    }

    /** Of two names of one attribute, the first counts. */
    private boolean isSet(AttributeNode attribute) {
      var record = records.find(attribute.field().record());
      return decoded.nulls().contains(attribute.path())
          || (record != null && record.get(attribute.field().position()) != null);
    }

    private void setOrAddExtra(AttributeNode attribute, FieldReference field, @Nullable Object value)
        throws IOException {
      if (value == null) {
        addExtraAndNull(attribute);
      } else {
        set(field, value);
      }
    }

    private void set(FieldReference field, Object value) {
      records.getOrCreate(field.record()).put(field.position(), value);
    }

    private void addExtraAndNull(LayoutNode node) throws IOException {
      if (!in.hasToken(JsonToken.VALUE_NULL)) {
        addExtra();
      }
      addNull(node);
    }

    private void addNull(LayoutNode node) {
      node.paths().forEach(decoded.nulls()::add);
    }

    private void addExtra() throws IOException {
      decoded.extra().put(path(), JsonValue.read(in));
    }

    /** The object whose member the parser is at. */
    private JsonStreamContext owner() {
      var context = in.getParsingContext();
      return in.currentToken().isStructStart() ? context.getParent() : context;
    }

    /** The names that lead from the resource to the parser's position. */
    private List<String> path() {
      var names = new ArrayDeque<String>();
      for (var at = owner(); at != resource; at = at.getParent()) {
        names.addFirst(StrictJson.wellFormed(at.getCurrentName()));
      }
      names.addFirst(StrictJson.wellFormed(resource.getCurrentName()));
      return List.copyOf(names);
    }
  }
}
