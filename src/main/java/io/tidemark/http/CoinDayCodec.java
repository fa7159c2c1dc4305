package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.CoinDay;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import java.io.IOException;

/** Answer of operation 9. */
record CoinDayCodec(Shape<CoinDay> shape) implements AnswerCodec<Query.CoinHistory, Seen<CoinDay>> {
  CoinDayCodec() {
    this(Shape.of(CoinDay.class));
  }

  @Override
  public Seen<CoinDay> read(Query.CoinHistory query, JsonParser in) throws IOException {
    return shape.read(in).require("coin").set("date", query.date().toString()).seen();
  }

  @Override
  public JsonValue write(Query.CoinHistory query, Seen<CoinDay> answer, NameStyle names) {
    return shape.write(answer, names);
  }
}
