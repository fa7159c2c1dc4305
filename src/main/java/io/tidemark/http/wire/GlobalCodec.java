package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Global;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Answer of operation 8: one member, data. */
record GlobalCodec(ResourceCodec<Global> codec) implements AnswerCodec<Query.GlobalMarket, Observation<Global>> {
  GlobalCodec() {
    this(ResourceCodec.of(Global.class));
  }

  @Override
  public Observation<Global> read(Query.GlobalMarket query, JsonParser in) throws IOException {
    var data = new AtomicReference<@Nullable DecodedResource<Global>>();
    var beside = new UndocumentedMembers();
    StrictJson.members(in, name -> {
      if (name.equals("data")) {
        data.set(codec.read(in));
      } else {
        beside.read(name, in);
      }
    });
    var global = data.get();
    if (global == null) {
      throw new MalformedAnswerException("no member data");
    }
    return beside.attachTo(global).toObservation();
  }

  @Override
  public JsonValue write(Query.GlobalMarket query, Observation<Global> answer, FieldNaming names) {
    var data = codec.write(answer, names);
    var beside = UndocumentedMembers.detachFrom(data);
    return beside.addTo(JsonObject.ordered().put("data", data));
  }
}
