package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Extra;
import io.tidemark.http.Node.Branch;
import io.tidemark.market.Seen;
import java.io.IOException;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** How a resource stands in JSON, both ways, by its schema alone: there is no code for any one attribute. */
record Shape<R extends SpecificRecord>(Class<R> type, Branch root) {
  private static final Aside NOTHING = (name, in) -> false;

  /** A resource whose attributes are members of the object it is. */
  static <R extends SpecificRecord> Shape<R> of(Class<R> type) {
    return new Shape<>(type, ShapeBuilder.build(SpecificData.get().getSchema(type), false));
  }

  /** A resource object of an on-chain answer: id, attributes, relationships. */
  static <R extends SpecificRecord> Shape<R> onChain(Class<R> type) {
    return new Shape<>(type, ShapeBuilder.build(SpecificData.get().getSchema(type), true));
  }

  /** The resource that a parser stands on, without what does not stand in its own JSON. */
  Found<R> read(JsonParser in) throws IOException {
    return read(in, NOTHING);
  }

  Found<R> read(JsonParser in, Aside aside) throws IOException {
    return new ShapeReader<>(in, Blank.of(type)).read(root, aside);
  }

  /** The resource as an object; what nobody documented comes last. */
  JsonObject write(Seen<R> seen, NameStyle names) {
    var object = attributes(seen, names);
    object.fill(extra(seen));
    return object;
  }

  /** The resource as an object, without what nobody documented. */
  JsonObject attributes(Seen<R> seen, NameStyle names) {
    var object = JsonObject.ordered();
    new ShapeWriter(seen, names).write(root, object);
    return object;
  }

  /** What nobody documented of a resource. */
  static JsonObject extra(Seen<?> seen) {
    var position = seen.resource().getSchema().getField("extra").pos();
    var text = seen.resource().get(position) instanceof Extra extra ? extra.getJson() : null;
    return text == null ? JsonObject.sorted() : JsonObject.parse(text);
  }

  /** Reads a member that is no attribute, and says whether it did. */
  interface Aside {
    boolean read(String name, JsonParser in) throws IOException;
  }
}
