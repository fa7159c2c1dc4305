package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.CoinDay;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;

/** Answer of operation 9: one day of a coin. */
final class CoinDayCodec implements AnswerCodec<Query.CoinHistory, Observation<CoinDay>> {
  private final ResourceCodec<CoinDay> codec = ResourceCodec.of(CoinDay.class);

  @Override
  public Observation<CoinDay> read(Query.CoinHistory query, JsonParser in) throws IOException {
    return codec.read(in).require("coin").set("date", query.date().toString()).toObservation();
  }

  @Override
  public JsonValue write(Query.CoinHistory query, Observation<CoinDay> answer, FieldNaming naming) {
    return codec.write(answer, naming);
  }

  @Override
  public ObjectNode schema(AnswerSchemas schemas) {
    return schemas.resource(codec);
  }
}
