package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Holding;
import io.tidemark.event.Treasury;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Answer of operation 12: an entity and its holdings. */
final class TreasuryCodec implements AnswerCodec<Query.PublicTreasury, TreasuryAnswer> {
  private static final String HOLDINGS = "holdings";

  private final ResourceCodec<Treasury> treasury = ResourceCodec.of(Treasury.class);
  private final ResourceCodec<Holding> holding = ResourceCodec.of(Holding.class);

  @Override
  public TreasuryAnswer read(Query.PublicTreasury query, JsonParser in) throws IOException {
    var holdings = new AtomicReference<@Nullable List<Observation<Holding>>>();
    var entity = treasury.read(in, HOLDINGS, () -> holdings.set(holdings(in))).require("id").toObservation();
    if (holdings.get() != null) {
      holdings.get().forEach(each -> each.resource().setEntity(entity.resource().getId()));
    }
    return new TreasuryAnswer(entity, holdings.get());
  }

  @Override
  public JsonValue write(Query.PublicTreasury query, TreasuryAnswer answer, FieldNaming naming) {
    var object = treasury.write(answer.treasury(), naming);
    if (answer.holdings() != null) {
      var holdings = answer.holdings().stream().map(each -> holding.write(each, naming)).toList();
      object.put(HOLDINGS, JsonValue.list(holdings));
    }
    return object;
  }

  @Override
  public ObjectNode schema(AnswerSchemas schemas) {
    return schemas.component("Treasury", () -> {
      var object = schemas.schema(treasury);
      AnswerSchemas.addMember(object, HOLDINGS, AnswerSchemas.list(schemas.resource(holding)));
      return object;
    });
  }

  private @Nullable List<Observation<Holding>> holdings(JsonParser in) throws IOException {
    if (in.hasToken(JsonToken.VALUE_NULL)) {
      return null;
    }
    var holdings = new ArrayList<Observation<Holding>>();
    StrictJson.elements(in, () -> holdings.add(holding.read(in).require("coin_id").toObservation()));
    return holdings;
  }
}
