package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Extra;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.market.Observation;
import java.io.IOException;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** How a resource stands in JSON, both ways, by its schema alone: there is no code for any one attribute. */
record ResourceCodec<R extends SpecificRecord>(Class<R> type, CompositeNode root) {
  private static final OtherMemberReader NOTHING = (name, in) -> false;

  /** A resource whose attributes are members of the object it is. */
  static <R extends SpecificRecord> ResourceCodec<R> of(Class<R> type) {
    return new ResourceCodec<>(type, ResourceLayout.build(SpecificData.get().getSchema(type), false));
  }

  /** A resource object of an on-chain answer: id, attributes, relationships. */
  static <R extends SpecificRecord> ResourceCodec<R> onChain(Class<R> type) {
    return new ResourceCodec<>(type, ResourceLayout.build(SpecificData.get().getSchema(type), true));
  }

  /** The resource that a parser stands on, without what does not stand in its own JSON. */
  DecodedResource<R> read(JsonParser in) throws IOException {
    return read(in, NOTHING);
  }

  DecodedResource<R> read(JsonParser in, OtherMemberReader aside) throws IOException {
    return new ResourceReader<>(in, ResourceClasses.newRecord(type)).read(root, aside);
  }

  /** The resource as an object; what nobody documented comes last. */
  JsonObject write(Observation<R> seen, FieldNaming names) {
    var object = attributes(seen, names);
    object.fill(extra(seen));
    return object;
  }

  /** The resource as an object, without what nobody documented. */
  JsonObject attributes(Observation<R> seen, FieldNaming names) {
    var object = JsonObject.ordered();
    new ResourceWriter(seen, names).write(root, object);
    return object;
  }

  /** What nobody documented of a resource. */
  static JsonObject extra(Observation<?> seen) {
    var position = seen.resource().getSchema().getField("extra").pos();
    var text = seen.resource().get(position) instanceof Extra extra ? extra.getJson() : null;
    return text == null ? JsonObject.sorted() : JsonObject.parse(text);
  }

  /** Reads a member that is no attribute, and says whether it did. */
  interface OtherMemberReader {
    boolean read(String name, JsonParser in) throws IOException;
  }
}
