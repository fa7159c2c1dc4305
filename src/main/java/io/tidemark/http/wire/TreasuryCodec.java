package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Holding;
import io.tidemark.event.Treasury;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.TreasuryAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answer of operation 12: an entity, and its holdings. */
record TreasuryCodec(ResourceCodec<Treasury> treasury, ResourceCodec<Holding> holding)
    implements AnswerCodec<Query.PublicTreasury, TreasuryAnswer> {
  private static final String HOLDINGS = "holdings";

  TreasuryCodec() {
    this(ResourceCodec.of(Treasury.class), ResourceCodec.of(Holding.class));
  }

  @Override
  public TreasuryAnswer read(Query.PublicTreasury query, JsonParser in) throws IOException {
    var holdings = new NestedResources<Holding>(HOLDINGS, this::holdings);
    var entity = treasury.read(in, holdings).require("id").toObservation();
    if (holdings.rows() != null) {
      holdings.rows().forEach(each -> each.resource().setEntity(entity.resource().getId()));
    }
    return new TreasuryAnswer(entity, holdings.rows());
  }

  @Override
  public JsonValue write(Query.PublicTreasury query, TreasuryAnswer answer, FieldNaming names) {
    var object = treasury.write(answer.treasury(), names);
    if (answer.holdings() != null) {
      var holdings = answer.holdings().stream().map(each -> holding.write(each, names)).toList();
      object.put(HOLDINGS, JsonValue.list(holdings));
    }
    return object;
  }

  private List<Observation<Holding>> holdings(JsonParser in) throws IOException {
    var holdings = new ArrayList<Observation<Holding>>();
    StrictJson.elements(in, () -> holdings.add(holding.read(in).require("coin_id").toObservation()));
    return holdings;
  }
}
