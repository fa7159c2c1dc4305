package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Global;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Answer of operation 8: one member, {@code data}. */
final class GlobalCodec implements AnswerCodec<Query.GlobalMarket, Observation<Global>> {
  private final ResourceCodec<Global> codec = ResourceCodec.of(Global.class);

  @Override
  public Observation<Global> read(Query.GlobalMarket query, JsonParser in) throws IOException {
    var data = new AtomicReference<@Nullable DecodedResource<Global>>();
    var undocumented = new UndocumentedMembers();
    StrictJson.members(in, name -> {
      if (name.equals("data")) {
        data.set(codec.read(in));
      } else {
        undocumented.add(name, JsonValue.read(in));
      }
    });
    var global = data.get();
    if (global == null) {
      throw new MalformedAnswerException("no member data");
    }
    return undocumented.attachTo(global).toObservation();
  }

  @Override
  public JsonValue write(Query.GlobalMarket query, Observation<Global> answer, FieldNaming naming) {
    var data = codec.write(answer, naming);
    var undocumented = UndocumentedMembers.detachFrom(data);
    return undocumented.addTo(JsonObject.ordered().put("data", data));
  }

  @Override
  public ObjectNode schema(AnswerSchemas schemas) {
    return AnswerSchemas.objectWith("data", schemas.resource(codec));
  }
}
