package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Holding;
import io.tidemark.event.Treasury;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.TreasuryAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answer of operation 12: an entity, and its holdings. */
record TreasuryCodec(Shape<Treasury> treasury, Shape<Holding> holding)
    implements AnswerCodec<Query.PublicTreasury, TreasuryAnswer> {
  private static final String HOLDINGS = "holdings";

  TreasuryCodec() {
    this(Shape.of(Treasury.class), Shape.of(Holding.class));
  }

  @Override
  public TreasuryAnswer read(Query.PublicTreasury query, JsonParser in) throws IOException {
    var holdings = new Rows<Holding>(HOLDINGS, this::holdings);
    var entity = treasury.read(in, holdings).require("id").seen();
    if (holdings.rows() != null) {
      holdings.rows().forEach(each -> each.resource().setEntity(entity.resource().getId()));
    }
    return new TreasuryAnswer(entity, holdings.rows());
  }

  @Override
  public JsonValue write(Query.PublicTreasury query, TreasuryAnswer answer, NameStyle names) {
    var object = treasury.write(answer.treasury(), names);
    if (answer.holdings() != null) {
      var holdings = answer.holdings().stream().map(each -> holding.write(each, names)).toList();
      object.put(HOLDINGS, JsonValue.list(holdings));
    }
    return object;
  }

  private List<Seen<Holding>> holdings(JsonParser in) throws IOException {
    var holdings = new ArrayList<Seen<Holding>>();
    Json.elements(in, () -> holdings.add(holding.read(in).require("coin_id").seen()));
    return holdings;
  }
}
