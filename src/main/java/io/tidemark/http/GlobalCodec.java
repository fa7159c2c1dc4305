package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Global;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Answer of operation 8: one member, data. */
record GlobalCodec(Shape<Global> shape) implements AnswerCodec<Query.GlobalMarket, Seen<Global>> {
  GlobalCodec() {
    this(Shape.of(Global.class));
  }

  @Override
  public Seen<Global> read(Query.GlobalMarket query, JsonParser in) throws IOException {
    var data = new AtomicReference<@Nullable Found<Global>>();
    var beside = new Beside();
    Json.members(in, name -> {
      if (name.equals("data")) {
        data.set(shape.read(in));
      } else {
        beside.read(name, in);
      }
    });
    var global = data.get();
    if (global == null) {
      throw new Malformed("no member data");
    }
    return beside.keptIn(global).seen();
  }

  @Override
  public JsonValue write(Query.GlobalMarket query, Seen<Global> answer, NameStyle names) {
    var data = shape.write(answer, names);
    var beside = Beside.takenFrom(data);
    return beside.into(JsonObject.ordered().put("data", data));
  }
}
