package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.market.DerivativesAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answer of operation 11: an exchange, and its contracts as tickers. */
record DerivativesCodec(ResourceCodec<DerivativesExchange> exchange, ResourceCodec<Contract> contract)
    implements AnswerCodec<Query.DerivativesExchangeById, DerivativesAnswer> {
  private static final String TICKERS = "tickers";

  DerivativesCodec() {
    this(ResourceCodec.of(DerivativesExchange.class), ResourceCodec.of(Contract.class));
  }

  @Override
  public DerivativesAnswer read(Query.DerivativesExchangeById query, JsonParser in) throws IOException {
    var contracts = new NestedResources<Contract>(TICKERS, parser -> contracts(query.id(), parser));
    var found = exchange.read(in, contracts).set("id", query.id());
    return new DerivativesAnswer(found.toObservation(), contracts.rows());
  }

  @Override
  public JsonValue write(Query.DerivativesExchangeById query, DerivativesAnswer answer, FieldNaming names) {
    var object = exchange.write(answer.exchange(), names);
    if (answer.tickers() != null) {
      var tickers = answer.tickers().stream().map(each -> contract.write(each, names)).toList();
      object.put(TICKERS, JsonValue.list(tickers));
    }
    return object;
  }

  /** An array, or (seen too) an object with arrays inside. */
  private List<Observation<Contract>> contracts(String exchange, JsonParser in) throws IOException {
    var contracts = new ArrayList<Observation<Contract>>();
    if (in.hasToken(JsonToken.START_OBJECT)) {
      StrictJson.members(in, name -> contracts.addAll(contracts(exchange, in)));
    } else {
      StrictJson.elements(in, () -> contracts.add(
          contract.read(in).set("exchange", exchange).require("symbol").toObservation()));
    }
    return contracts;
  }
}
